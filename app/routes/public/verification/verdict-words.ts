import type { Tone } from '#app/ui/feedback/tone.ts'
import type { IconName } from '#app/ui/text/icon.tsx'
import type {
  Coverage,
  Indication,
  ModificationLevel,
  RevocationFacts,
  SignatureReport,
  SignerFacts,
  TimestampFacts,
  Verdict,
} from '#server/domain/verification/report.ts'

/* Verdicts in es-MX, for a lay reader with a printout and a phone. */

export type VerdictLook = {
  tone: Exclude<Tone, 'plain'>
  icon: IconName
  word: string
  /** What it means, in two lines for a lay person. */
  meaning: readonly [string, string]
}

export const VERDICTS: Record<Verdict | 'NOT_FOUND', VerdictLook> = {
  VALID: {
    tone: 'good',
    icon: 'check',
    word: 'Válido',
    meaning: [
      'Lo que se firmó no ha cambiado desde entonces.',
      'Cada firma corresponde al certificado de quien firmó, emitido por una autoridad reconocida.',
    ],
  },
  INDETERMINATE: {
    tone: 'wait',
    icon: 'warning',
    word: 'Sin dictamen definitivo',
    meaning: [
      'No se pudo confirmar todo lo necesario para dar el documento por válido.',
      'No significa que sea falso: consulte a la notaría que lo emitió antes de confiar en él.',
    ],
  },
  INVALID: {
    tone: 'bad',
    icon: 'cross',
    word: 'No válido',
    meaning: [
      'Este archivo no debe aceptarse como el documento que se firmó.',
      'Pida a la notaría el archivo original y verifíquelo de nuevo.',
    ],
  },
  NO_SIGNATURE: {
    tone: 'wait',
    icon: 'warning',
    word: 'Sin firmas',
    meaning: [
      'No se encontró ninguna firma electrónica en el archivo.',
      'Si debería tener firmas, pida el archivo firmado a quien se lo entregó.',
    ],
  },
  NOT_A_PDF: {
    tone: 'bad',
    icon: 'cross',
    word: 'Ilegible',
    meaning: [
      'Aquí se verifican documentos PDF, y este archivo no se puede leer como tal.',
      'Revise que sea el archivo correcto y que se haya descargado completo.',
    ],
  },
  NOT_FOUND: {
    tone: 'wait',
    icon: 'warning',
    word: 'Sin resultado',
    meaning: [
      'Ningún documento firmado en este sistema corresponde a este código.',
      'Revise que esté completo, o verifique el archivo PDF.',
    ],
  },
}

export const INDICATIONS: Record<Indication, { tone: Exclude<Tone, 'plain'>; word: string }> = {
  TOTAL_PASSED: { tone: 'good', word: 'Firma válida' },
  INDETERMINATE: { tone: 'wait', word: 'Firma sin dictamen definitivo' },
  TOTAL_FAILED: { tone: 'bad', word: 'Firma no válida' },
}

/** For document timestamps. */
export const STAMP_WORDS: Record<Indication, string> = {
  TOTAL_PASSED: 'Sello válido',
  INDETERMINATE: 'Sello sin dictamen definitivo',
  TOTAL_FAILED: 'Sello no válido',
}

export const MODIFICATIONS: Record<ModificationLevel, string> = {
  NONE: 'Ninguno',
  LTA_UPDATES: 'Solo pruebas de conservación, que no alteran el documento',
  FORM_FILLING: 'Solo firmas o campos de formulario, que el documento permite',
  ANNOTATIONS: 'Se agregaron anotaciones',
  OTHER: 'Se cambió el documento',
}

export const COVERAGES: Record<Coverage, string> = {
  ENTIRE_FILE: 'Todo el archivo',
  ENTIRE_REVISION: 'Todo el documento como estaba al firmarse',
  CONTIGUOUS_BLOCK_FROM_START: 'Una parte del archivo, desde su inicio',
  UNCLEAR: 'No está claro',
}

export const REVOCATIONS: Record<RevocationFacts['status'], string> = {
  good: 'El certificado no había sido revocado',
  revoked: 'El certificado fue revocado',
  unknown: 'No comprobada',
}

/** The source of the revocation status. */
export const REVOCATION_SOURCES: Record<NonNullable<RevocationFacts['source']>, string> = {
  ocsp: 'respuesta OCSP de la autoridad',
  crl: 'lista de revocación de la autoridad',
  embedded: 'respuesta de la autoridad que trae el archivo',
}

/** The changes that a certified document permits. */
export const CERTIFICATIONS: Record<NonNullable<SignatureReport['docMdp']>['level'], string> = {
  1: 'Ningún cambio',
  2: 'Llenar el formulario y firmar',
  3: 'Llenar el formulario, firmar y anotar',
}

export const SIGNER_KINDS: Record<SignerFacts['kind'], string> = {
  'efirma-natural': 'e.firma de persona física',
  'efirma-legal': 'e.firma de persona moral',
  csd: 'Certificado de sello digital: no es una e.firma',
  unknown: 'Otro certificado',
}

export const TIMESTAMPS: Record<TimestampFacts['kind'], string> = {
  signature: 'Sello digital de tiempo de la firma',
  document: 'Sello digital de tiempo del documento',
  constancia: 'Constancia de conservación (NOM-151)',
}
