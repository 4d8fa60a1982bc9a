import type { Day } from '#server/domain/day.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { datesIn } from './dates.ts'
import { spaced, wordsIn } from './folded.ts'

/** What a search can find a document by. */
export type DocumentFacts = Pick<
  Document,
  'folio' | 'verificationCode' | 'title' | 'instrument'
> & {
  /** `Escritura` */
  kind: string
  /** The day on which it was uploaded, where the office is. */
  uploaded: Day
  /** Those who sign it, or signed it. */
  signers: readonly { name: string; rfc: string | null }[]
}

/** All words for a volume of the protocol: people use them all, whatever the law of their state says. */
const VOLUME_WORDS = ['libro', 'volumen', 'tomo']

/** The text of a document in which a search looks: folded words, with a space before and after each. */
export function documentText(facts: DocumentFacts): string {
  const { folio, verificationCode, title, instrument, kind, uploaded, signers } = facts
  const parts = [kind, title, folio, verificationCode, verificationCode.replaceAll('-', '')]
  if (instrument) {
    const { number, volume, folios, date, acts, parties } = instrument
    parts.push('instrumento', number, acts ?? '', date ?? '', folios ? `folios ${folios}` : '')
    if (volume) parts.push(...VOLUME_WORDS.map((word) => `${word} ${volume}`))
    parts.push(...parties.map(({ name }) => name))
  }
  parts.push(...signers.flatMap(({ name, rfc }) => [name, rfc ?? '']), uploaded)
  const dates = parts.flatMap((part) => datesIn(part).dates)
  return spaced([...parts.flatMap(wordsIn), ...dates.flat()])
}
