import type { PasswordWeakness } from '#server/domain/identity/password.ts'

/** What is wrong with the password and what to do, es-MX. */
export function sentenceOfWeakness(weakness: PasswordWeakness): string {
  return SENTENCES[weakness]
}

const EXAMPLE = 'Elija otra, por ejemplo cuatro palabras sin relación.'

const SENTENCES: Record<PasswordWeakness, string> = {
  'too-short':
    'La contraseña es demasiado corta: escriba al menos 15 caracteres. Sirven cuatro palabras con espacios.',
  'too-long': 'La contraseña es demasiado larga: escriba a lo más 128 caracteres.',
  'control-character':
    'La contraseña tiene un carácter que no se ve, como un tabulador o un salto de línea. Escríbala de nuevo.',
  'same-as-before': 'Es la contraseña que ya tiene. Elija otra.',
  'own-words': `La contraseña está hecha de palabras de la notaría o de sus propios datos. ${EXAMPLE}`,
  'too-common': `La contraseña es demasiado común: está hecha de las que se prueban primero. ${EXAMPLE}`,
  keyboard: `Las teclas seguidas del teclado se adivinan pronto. ${EXAMPLE}`,
  repeated: `Lo que se repite se adivina pronto. ${EXAMPLE}`,
  sequence: `Las secuencias como “abcd” o “1234” se adivinan pronto. ${EXAMPLE}`,
  dates: `Las fechas se adivinan pronto. ${EXAMPLE}`,
  names: `Los nombres y apellidos se adivinan pronto. ${EXAMPLE}`,
  words: `Una sola palabra se adivina pronto. ${EXAMPLE}`,
  guessable: `La contraseña es fácil de adivinar. ${EXAMPLE}`,
}

const SCORES = ['Muy débil', 'Débil', 'Regular', 'Buena', 'Muy buena'] as const

/** For the meter: `Buena`. */
export const wordOfScore = (score: 0 | 1 | 2 | 3 | 4): string => SCORES[score]

/** Why a password would be refused, or how good it is. */
export const sentenceOfRating = (rated: {
  score: 0 | 1 | 2 | 3 | 4
  weakness: PasswordWeakness | undefined
}): string => (rated.weakness ? sentenceOfWeakness(rated.weakness) : wordOfScore(rated.score))
