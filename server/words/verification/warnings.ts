import type { Warning, WarningList } from '#server/domain/verification/facts/warning.ts'
import { CERTIFICATES } from './certificates.ts'
import { FILES } from './files.ts'
import { SIGNATURES } from './signatures.ts'
import { TIMESTAMPS } from './timestamps.ts'
import { type SentencesOf, sentenceIn } from './words.ts'

const WARNINGS: SentencesOf<WarningList> = {
  ...FILES,
  ...SIGNATURES,
  ...CERTIFICATES,
  ...TIMESTAMPS,
}

/** What a report warns of, or why a timestamp does not count, es-MX. */
export const sentenceOfWarning = (warning: Warning) => sentenceIn<WarningList>(WARNINGS, warning)

export const isWarning = (fact: { readonly code: string }): fact is Warning =>
  Object.hasOwn(WARNINGS, fact.code)
