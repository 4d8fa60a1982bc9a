import type { DescribedCertificate, DescribedFile } from '#server/domain/efirma/describe-file.ts'
import type { PasswordFinding } from '#server/domain/efirma/try-password.ts'
import { dateText, sentenceOfEfirma, sentenceOfPkcs12 } from './efirma.ts'

/* Shipped to the browser: what a file is, and what to do with it, es-MX. */

/** What a file is, in a few words, and what it is for. */
export type FileWords = {
  title: string
  sentences: readonly string[]
  /** `good`: proven, `bad`: something must be done about it. */
  tone: 'good' | 'note' | 'wait' | 'bad'
}

export function wordsOfFile(file: DescribedFile): FileWords {
  switch (file.kind) {
    case 'certificate':
      return wordsOfCertificate(file)
    case 'private-key':
      return PRIVATE_KEYS[file.protection]
    default:
      return OTHERS[file.kind]
  }
}

const KEEP_IT =
  'Guárdela solo usted, con su contraseña: quien tenga las dos puede firmar por usted. No la envíe a nadie ni la suba a ninguna página.'

const PRIVATE_KEYS: Record<
  Extract<DescribedFile, { kind: 'private-key' }>['protection'],
  FileWords
> = {
  password: {
    title: 'Clave privada (.key)',
    sentences: [
      'Es la parte secreta de una e.firma o de un sello digital (CSD), protegida con contraseña. El archivo no dice de quién es.',
      KEEP_IT,
    ],
    tone: 'note',
  },
  'unknown-method': {
    title: 'Clave privada con una protección que no se admite',
    sentences: [
      'Para firmar aquí elija el archivo .key original que obtuvo al generar su e.firma.',
      KEEP_IT,
    ],
    tone: 'wait',
  },
  none: {
    title: 'Clave privada sin contraseña',
    sentences: [
      'Cualquiera que tenga este archivo puede firmar por usted. Use el archivo .key original, que pide contraseña, y elimine esta copia.',
      'Si alguien más pudo copiarla, revoque su e.firma ante el SAT.',
    ],
    tone: 'bad',
  },
}

const OTHERS: Record<Exclude<DescribedFile['kind'], 'certificate' | 'private-key'>, FileWords> = {
  pkcs12: {
    title: 'Archivo PKCS#12 (.p12 o .pfx)',
    sentences: [
      'Reúne un certificado y su clave privada, protegidos con contraseña. Sin ella no se puede saber de quién es.',
      KEEP_IT,
    ],
    tone: 'note',
  },
  request: {
    title: 'Requerimiento de certificado (.req)',
    sentences: [
      'Es la solicitud que se lleva al SAT para obtener una e.firma. Todavía no es un certificado y no sirve para firmar: el SAT entrega a cambio el archivo .cer.',
    ],
    tone: 'note',
  },
  'signed-data': {
    title: 'Archivo firmado (.ren, .sdg o .p7m)',
    sentences: [
      'Contiene datos firmados: así son las solicitudes de renovación y de sellos digitales que se envían al SAT. No sirve para firmar documentos.',
    ],
    tone: 'note',
  },
  empty: {
    title: 'Archivo vacío',
    sentences: [
      'No contiene nada. Búsquelo en su copia original: en la USB o en la carpeta que le entregó el SAT.',
    ],
    tone: 'bad',
  },
  pdf: {
    title: 'Documento PDF',
    sentences: [
      'No es parte de una e.firma. Si quiere saber si está firmado, verifíquelo en Verificar Documento.',
    ],
    tone: 'note',
  },
  unknown: {
    title: 'No se reconoce este archivo',
    sentences: [
      'No es un certificado ni una clave privada, o está dañado. De una e.firma se necesitan dos archivos: uno que termina en .cer y otro que termina en .key.',
    ],
    tone: 'bad',
  },
}

const PUBLIC =
  'Es la parte pública: puede compartirlo. Para firmar se necesita además su clave privada (.key).'

const SIGNS =
  'Sirve para firmar documentos, si su emisor no lo ha revocado: eso no se consulta aquí.'
const SIGNS_FOR_COMPANY =
  'Sirve para firmar documentos en nombre de la empresa, si su emisor no lo ha revocado: eso no se consulta aquí.'

const USES: Record<DescribedCertificate['use'], Omit<FileWords, 'tone'>> = {
  'efirma-natural': {
    title: 'Certificado de e.firma de una persona física',
    sentences: [SIGNS, PUBLIC],
  },
  'efirma-legal': {
    title: 'Certificado de e.firma de una persona moral',
    sentences: [SIGNS_FOR_COMPANY, PUBLIC],
  },
  csd: {
    title: 'Certificado de sello digital (CSD)',
    sentences: [
      'Sirve para sellar facturas, no para firmar documentos. Para firmar use el certificado de la e.firma.',
    ],
  },
  authority: {
    title: 'Certificado de una autoridad certificadora',
    sentences: [
      'No es de una persona: con él se comprueban los certificados que la autoridad emite.',
    ],
  },
  unknown: {
    title: 'Otro certificado',
    sentences: ['No tiene la forma de una e.firma del SAT, por lo que no sirve para firmar aquí.'],
  },
}

const TONES: Record<DescribedCertificate['use'], FileWords['tone']> = {
  'efirma-natural': 'note',
  'efirma-legal': 'note',
  csd: 'wait',
  authority: 'note',
  unknown: 'wait',
}

function wordsOfCertificate({ use, validity }: DescribedCertificate): FileWords {
  const { title, sentences } = USES[use]
  if (validity === 'valid') return { title, sentences, tone: TONES[use] }
  return validity === 'over'
    ? { title, sentences: [OVER, ...sentences.slice(1)], tone: 'bad' }
    : { title, sentences: [NOT_YET, ...sentences.slice(1)], tone: 'wait' }
}

const OVER =
  'Ya venció: con él no se puede firmar. Busque un archivo más reciente o renuévelo ante el SAT.'
const NOT_YET = 'Todavía no empieza su vigencia.'

/** @param zone the office's time zone */
export const validityText = ({ notBefore, notAfter }: DescribedCertificate, zone: string): string =>
  `Del ${dateText(notBefore, zone)} al ${dateText(notAfter, zone)}`

/** What a password did with a key, and what follows. */
export function wordsOfFinding(finding: PasswordFinding): Pick<FileWords, 'tone' | 'sentences'> {
  switch (finding.kind) {
    case 'opens-key':
      return {
        tone: 'good',
        sentences: [
          'La contraseña abre la clave privada.',
          'Elija también el certificado (.cer) para saber si van juntos.',
        ],
      }
    case 'matches':
      return {
        tone: 'good',
        sentences: [
          `La contraseña abre la clave privada, y la clave es la del certificado de ${finding.certificate.name}: van juntos.`,
        ],
      }
    case 'other-key':
      return {
        tone: 'bad',
        sentences: [
          `La contraseña abre la clave privada, pero la clave no es la del certificado de ${finding.certificate.name} con el número ${finding.certificate.number}.`,
          'Busque los dos archivos que se generaron juntos.',
        ],
      }
    case 'opens-pkcs12':
      return { tone: 'good', sentences: ['La contraseña abre el archivo PKCS#12, que contiene:'] }
    case 'key-refused':
      return {
        tone: 'bad',
        sentences: [sentenceOfEfirma({ code: finding.code, file: 'private-key' })],
      }
    case 'pkcs12-refused':
      return { tone: 'bad', sentences: [sentenceOfPkcs12(finding.code)] }
  }
}
