import type { UselessAnswer } from '#server/domain/timestamp/constancia-answer.ts'

/** Why an attempt failed to get a constancia. */
type FailedAttempt = UselessAnswer | 'slow' | 'no-answer' | 'no-provider' | 'not-judged'

const SENTENCES: Record<FailedAttempt, string> = {
  'no-constancia': 'El prestador respondió algo que no es una constancia.',
  refused: 'El prestador se negó a dar la constancia.',
  'of-other-file': 'El prestador dio una constancia de otro archivo.',
  'to-other-request': 'El prestador dio una constancia que no responde a lo que se le pidió.',
  slow: 'El prestador tardó demasiado.',
  'no-answer': 'El prestador no respondió.',
  'no-provider': 'La notaría no tiene un proveedor de constancias.',
  'not-judged':
    'El prestador respondió, pero comprobar su respuesta tardó demasiado. Se comprobará de nuevo en una hora.',
}

/** Why there is no constancia yet, es-MX. */
export const sentenceOfFailedAttempt = (reason: FailedAttempt): string => SENTENCES[reason]
