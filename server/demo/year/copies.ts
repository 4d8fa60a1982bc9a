import { addressed, characterOf, drawClient, drawFirm } from './clients.ts'
import type { Paper } from './drafted.ts'

/** Of a deed of earlier years. */
const OLD_NUMBERS = ['2,118', '2,764', '3,052', '3,377', '3,641', '3,809', '3,966', '4,107']

const certifiedCopy: Paper = {
  weight: 12,
  draft(chance) {
    const asker = drawClient(chance)
    const number = chance.pick(OLD_NUMBERS)
    return {
      ...{ title: `Copia certificada · Escritura ${number} para ${asker.name}`, act: null },
      ...{ kind: 'certified-copy', heading: 'COPIA CERTIFICADA ELECTRÓNICA', parties: [] },
      paragraphs: [
        `La presente reproducción concuerda fielmente con la escritura número ${number}, que obra en el protocolo a mi cargo y tuve a la vista.`,
        `Se expide a solicitud de ${addressed(asker)}, para los usos legales que a sus intereses convengan.`,
      ],
    }
  },
}

const testimony: Paper = {
  weight: 6,
  draft(chance) {
    const asker = drawClient(chance)
    const number = chance.pick(OLD_NUMBERS)
    return {
      ...{ title: `Segundo testimonio · Escritura ${number} para ${asker.last}`, act: null },
      ...{ kind: 'testimony', heading: 'TESTIMONIO', parties: [] },
      paragraphs: [
        `Es segundo testimonio, que se expide a ${addressed(asker)} como parte interesada, de la escritura número ${number} y de los documentos de su apéndice.`,
        'Va cotejado y corregido.',
      ],
    }
  },
}

const COMPARED = ['título profesional', 'credencial para votar', 'pasaporte', 'acta de nacimiento']

const collation: Paper = {
  weight: 9,
  draft(chance) {
    const asker = drawClient(chance)
    const what = chance.pick(COMPARED)
    return {
      ...{ title: `Cotejo de ${what} · ${asker.name}`, kind: 'collation', act: 'Cotejo' },
      ...{ heading: 'COTEJO DE DOCUMENTO' },
      parties: [{ name: asker.name, character: 'Solicitante' }],
      paragraphs: [
        `Certifico que la presente copia concuerda con el original (${what}) que me exhibió ${addressed(asker)} y que le devolví.`,
      ],
    }
  },
}

const certification: Paper = {
  weight: 4,
  draft(chance) {
    const firm = drawFirm(chance)
    const lawyer = drawClient(chance)
    return {
      ...{ title: `Certificación de personalidad · ${lawyer.name}`, kind: 'certification' },
      ...{ heading: 'CERTIFICACIÓN DE PERSONALIDAD', act: null, parties: [] },
      paragraphs: [
        `Certifico que ${addressed(lawyer)} acreditó ante mí su carácter de ${characterOf(lawyer, 'apoderado')} de “${firm}” con el instrumento que exhibió.`,
      ],
    }
  },
}

const LETTERS = ['Aviso preventivo', 'Carta de instrucción', 'Solicitud de certificado']

const letter: Paper = {
  weight: 5,
  draft(chance) {
    const client = drawClient(chance)
    const what = chance.pick(LETTERS)
    return {
      ...{ title: `${what} · ${client.name}`, act: null, parties: [] },
      kind: what === 'Aviso preventivo' ? 'notice' : 'letter',
      heading: what.toLocaleUpperCase('es-MX'),
      paragraphs: [
        `En relación con la operación de ${addressed(client)}, se comunica lo conducente y se acompañan los datos del inmueble y de las partes.`,
      ],
    }
  },
}

const lease: Paper = {
  weight: 4,
  draft(chance) {
    const [owner, tenant] = [drawClient(chance), drawClient(chance)]
    return {
      ...{ title: `Contrato de arrendamiento · ${owner.last} y ${tenant.last}`, act: null },
      ...{ kind: 'contract', heading: 'CONTRATO DE ARRENDAMIENTO', parties: [] },
      paragraphs: [
        `${owner.name} da en arrendamiento a ${tenant.name} el inmueble que se describe, por el plazo forzoso de un año.`,
        'La renta se paga por adelantado dentro de los primeros cinco días de cada mes.',
      ],
    }
  },
}

/** What only cites a number of the protocol, or has none. */
export const COPIES: readonly Paper[] = [
  ...[certifiedCopy, testimony, collation, certification, letter, lease],
]
