import type { SampleSigner } from './asked-signer.ts'
import { GUEST } from './people.ts'
import type { SampleDeed } from './sample-deed.ts'
import { FICTION } from './sample-deeds.ts'

export type SampleSession = {
  deed: SampleDeed
  message: string
  signers: readonly SampleSigner[]
  /** Who has signed, in order. */
  signed: readonly string[]
  /** How it ended; null while it is open. */
  ending:
    | { kind: 'rejected'; by: string; reason: string }
    | { kind: 'cancelled'; reason: string }
    | null
}

/** What the demo office has in the hands of its signers: one session of each kind that is not complete. */
export const SAMPLE_SESSIONS: readonly SampleSession[] = [
  {
    deed: {
      title: 'Contrato de arrendamiento · Local de la calle Ñandubay',
      kind: 'contract',
      heading: 'CONTRATO DE ARRENDAMIENTO',
      paragraphs: [
        FICTION,
        'Doña Begoña Peñaloza Yáñez da en arrendamiento a “Comercializadora Ñandú”, sociedad anónima de capital variable, el local comercial marcado con el número siete de la calle Ñandubay, por el plazo de tres años.',
        'La renta mensual es de $18,500.00 (dieciocho mil quinientos pesos 00/100 moneda nacional), pagadera dentro de los primeros cinco días de cada mes.',
      ],
    },
    message: 'Revisen la cláusula de la renta antes de firmar.',
    signers: [
      { slug: 'abogada', step: 1, character: 'Apoderada de la arrendataria' },
      {
        name: `${GUEST.firstName} ${GUEST.lastName}`,
        rfc: GUEST.rfc,
        step: 1,
        character: 'Arrendadora',
      },
      { slug: 'notaria-titular', step: 2, character: null },
    ],
    signed: ['abogada'],
    ending: null,
  },
  {
    deed: {
      title: 'Convenio de honorarios · Expediente 88/2026',
      kind: 'letter',
      heading: 'CONVENIO DE HONORARIOS',
      paragraphs: [
        FICTION,
        'Las partes convienen los honorarios por los trámites del expediente ochenta y ocho de dos mil veintiséis, que se cubrirán en dos exhibiciones iguales.',
      ],
    },
    message: 'Para firma de ambos.',
    signers: [
      { slug: 'abogada', step: 1, character: 'Abogada responsable' },
      { slug: 'notario-suplente', step: 2, character: null },
    ],
    signed: ['abogada'],
    ending: {
      kind: 'rejected',
      by: 'notario-suplente',
      reason: 'El importe no coincide con el acordado.',
    },
  },
  {
    deed: {
      title: 'Carta de instrucción notarial · Crédito 4471',
      kind: 'letter',
      heading: 'CARTA DE INSTRUCCIÓN',
      paragraphs: [
        FICTION,
        'Se instruye al notario para que formalice el crédito cuatro mil cuatrocientos setenta y uno en los términos autorizados por la institución.',
      ],
    },
    message: 'Firma la abogada y da fe el notario.',
    signers: [
      { slug: 'abogada', step: 1, character: 'Representante de la institución' },
      { slug: 'notario-suplente', step: 2, character: null },
    ],
    signed: ['abogada'],
    ending: { kind: 'cancelled', reason: 'El banco cambió las condiciones del crédito.' },
  },
]
