import type {
  ConstanciaCodes,
  ConstanciaHeadline,
} from '#server/domain/verification/codes/constancia-codes.ts'
import { isWarning, sentenceOfWarning } from './warnings.ts'
import { type SentencesOf, sentenceIn } from './words.ts'

const NOUNS = { constancia: 'La constancia', timestamp: 'El sello de tiempo' } as const

export const CONSTANCIAS: SentencesOf<ConstanciaCodes> = {
  'file-existed': ({ kind }) => `${NOUNS[kind]} prueba que el archivo existía en su fecha.`,
  'earlier-revision-existed': ({ kind, bytes }) =>
    `${NOUNS[kind]} prueba que existían en su fecha los primeros ${bytes.toLocaleString('es-MX')} bytes, que eran entonces el archivo entero; nada prueba de lo que se agregó después.`,
  'constancia-refused': () => 'La autoridad no otorgó la constancia: esta es su negativa.',
  'constancia-unreadable': () => 'El archivo no es una constancia que se pueda leer.',
  'constancia-digest-unsupported': ({ kind }) =>
    `${NOUNS[kind]} no es sobre una huella SHA-256, y con otra no se puede comparar aquí.`,
  'constancia-of-other-file': ({ kind }) => `${NOUNS[kind]} es de otro archivo.`,
  'constancia-policy-unconfirmed': ({ policy }) =>
    `Nadie ha confirmado quién emite constancias bajo la política ${policy}.`,
}

/** The verdict about a constancia, es-MX. */
export const sentenceOfConstancia = (headline: ConstanciaHeadline) =>
  isWarning(headline)
    ? sentenceOfWarning(headline)
    : sentenceIn<ConstanciaCodes>(CONSTANCIAS, headline)
