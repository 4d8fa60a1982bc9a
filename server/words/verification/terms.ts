import type {
  ConstanciaReport,
  Coverage,
  Indication,
  ModificationLevel,
  SignatureReport,
  SignerFacts,
  TimestampFacts,
  Verdict,
} from '#server/domain/verification/report.ts'

/* The terms of a report in es-MX, for a lay reader with a printout and a phone. */

/** The verdict in a word, and what it means in two lines for a lay person. */
export type VerdictWords = { word: string; meaning: readonly [string, string] }

/** What a public page says besides the verdict about a file. */
export type NoVerdict = 'NOT_FOUND' | 'BEING_SIGNED' | 'NEVER_COMPLETED'

export const VERDICTS: Record<Verdict | NoVerdict, VerdictWords> = {
  VALID: {
    word: 'Válido',
    meaning: [
      'Lo que se firmó no ha cambiado desde entonces.',
      'Cada firma corresponde al certificado de quien firmó, emitido por una autoridad reconocida.',
    ],
  },
  INDETERMINATE: {
    word: 'Sin resultado definitivo',
    meaning: [
      'No se pudo confirmar todo lo necesario para dar el documento por válido.',
      'No significa que sea falso: consulte a la notaría que lo emitió antes de confiar en él.',
    ],
  },
  INVALID: {
    word: 'No válido',
    meaning: [
      'Este archivo no debe aceptarse como el documento que se firmó.',
      'Pida a la notaría el archivo original y verifíquelo de nuevo.',
    ],
  },
  NO_SIGNATURE: {
    word: 'Sin firmas',
    meaning: [
      'No se encontró ninguna firma electrónica en el archivo.',
      'Si debería tener firmas, pida el archivo firmado a quien se lo entregó.',
    ],
  },
  NOT_A_PDF: {
    word: 'Ilegible',
    meaning: [
      'Aquí se verifican documentos PDF, y este archivo no se puede leer como tal.',
      'Revise que sea el archivo correcto y que se haya descargado completo.',
    ],
  },
  NOT_FOUND: {
    word: 'Sin resultado',
    meaning: [
      'Ningún documento firmado en este sistema corresponde a este código.',
      'Revise que esté completo, o verifique el archivo PDF.',
    ],
  },
  BEING_SIGNED: {
    word: 'En firma',
    meaning: [
      'Faltan firmas. Lo que exista ahora en papel o en archivo no es todavía el documento firmado.',
      'Vuelva a consultarlo cuando la notaría le diga que está completo.',
    ],
  },
  NEVER_COMPLETED: {
    word: 'Sin completar',
    meaning: [
      'Este documento se preparó para firmarse, pero no llegó a tener todas sus firmas.',
      'No lo acepte como documento firmado. Si tiene dudas, consulte a la notaría.',
    ],
  },
}

/** Of a valid file with fields that were filled later. */
export const FILLED_MEANING: VerdictWords['meaning'] = [
  'Lo que se firmó no ha cambiado, pero después se llenaron campos que el documento permite llenar: las firmas anteriores no los respaldan.',
  'Cada firma corresponde al certificado de quien firmó, emitido por una autoridad reconocida.',
]

export const INDICATIONS: Record<Indication, string> = {
  TOTAL_PASSED: 'Firma válida',
  INDETERMINATE: 'Firma sin resultado definitivo',
  TOTAL_FAILED: 'Firma no válida',
}

/** For document timestamps. */
export const STAMP_WORDS: Record<Indication, string> = {
  TOTAL_PASSED: 'Sello válido',
  INDETERMINATE: 'Sello sin resultado definitivo',
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

/** The baseline level of a signature. */
export const LEVELS: Record<SignatureReport['level'], string> = {
  'B-B': 'firma PAdES de nivel básico (B-B)',
  'B-T': 'firma PAdES con sello de tiempo (B-T)',
  'B-LT': 'firma PAdES con pruebas de validación (B-LT)',
  'B-LTA': 'firma PAdES con pruebas conservadas (B-LTA)',
  NOT_PADES: 'no cumple PAdES',
}

export const CONSTANCIA_VERDICTS: Record<ConstanciaReport['verdict'], string> = {
  VALID: 'Válida',
  EARLIER_REVISION: 'De una versión anterior',
  INDETERMINATE: 'Sin resultado definitivo',
  INVALID: 'No válida',
  NOT_A_CONSTANCIA: 'Ilegible',
}
