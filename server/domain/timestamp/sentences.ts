import type { TimeStampProblem } from './verify-time-stamp.ts'

const PROBLEMS: Record<TimeStampProblem, string> = {
  'imprint-differs': 'El sello de tiempo es de otros datos.',
  'digest-unsupported': 'El sello de tiempo usa un algoritmo desconocido.',
  'certificate-missing': 'El sello de tiempo no trae el certificado de quien lo emitió.',
  'content-differs': 'El sello de tiempo está dañado.',
  'signature-differs':
    'La firma del sello de tiempo no es de la autoridad que dice haberlo emitido.',
  'certificate-not-bound': 'El sello de tiempo no dice bien con qué certificado se firmó.',
  malformed: 'El sello de tiempo no cumple el formato.',
  'critical-extension': 'El sello de tiempo trae condiciones que aquí no se conocen.',
  'not-for-time-stamping': 'El certificado que firmó el sello de tiempo no es para emitirlos.',
}

/** Why a timestamp proves nothing, for people: es-MX. */
export const sentenceAboutTimeStamp = (problem: TimeStampProblem) => PROBLEMS[problem]
