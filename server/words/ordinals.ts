/* Ordinal numbers in words, es-MX. */

const UNITS = [
  '',
  'primero',
  'segundo',
  'tercero',
  'cuarto',
  'quinto',
  'sexto',
  'séptimo',
  'octavo',
  'noveno',
]
const TENS = [
  '',
  'décimo',
  'vigésimo',
  'trigésimo',
  'cuadragésimo',
  'quincuagésimo',
  'sexagésimo',
  'septuagésimo',
  'octogésimo',
  'nonagésimo',
]
const HUNDREDS = [
  '',
  'centésimo',
  'ducentésimo',
  'tricentésimo',
  'cuadringentésimo',
  'quingentésimo',
  'sexcentésimo',
  'septingentésimo',
  'octingentésimo',
  'noningentésimo',
]
/** From the eleventh to the nineteenth: one word each. */
const TEENS = [
  '',
  'undécimo',
  'duodécimo',
  'decimotercero',
  'decimocuarto',
  'decimoquinto',
  'decimosexto',
  'decimoséptimo',
  'decimoctavo',
  'decimonoveno',
]

/** Higher ordinals are written in digits. */
const LAST_IN_WORDS = 999

export type Noun = { text: string; gender: 'masculine' | 'feminine' }

/** `primer testimonio`, `vigésima primera copia certificada`, `testimonio número 1,000`. @param ordinal from 1 */
export function ordinalBefore(ordinal: number, { text, gender }: Noun): string {
  if (ordinal > LAST_IN_WORDS) return `${text} número ${ordinal.toLocaleString('es-MX')}`
  const words = wordsOf(ordinal)
  const fitting = gender === 'masculine' ? words.map(shortened) : words.map(feminine)
  return [...fitting, text].join(' ')
}

function wordsOf(ordinal: number): string[] {
  const [hundreds, tens, units] = [
    Math.floor(ordinal / 100),
    Math.floor(ordinal / 10) % 10,
    ordinal % 10,
  ]
  const below = tens === 1 && units > 0 ? [TEENS[units]] : [TENS[tens], UNITS[units]]
  return [HUNDREDS[hundreds], ...below].filter((word): word is string => Boolean(word))
}

/** Before a masculine noun: `primer`, `tercer`, `decimotercer`. */
const shortened = (word: string) => word.replace(/(primer|tercer)o$/, '$1')

const feminine = (word: string) => word.replace(/o$/, 'a')
