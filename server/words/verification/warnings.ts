import type { Warning, WarningCodes } from '#server/domain/verification/codes/warning.ts'
import { CERTIFICATES } from './certificates.ts'
import { FILES } from './files.ts'
import { SIGNATURES } from './signatures.ts'
import { TIMESTAMPS } from './timestamps.ts'
import { type SentencesOf, sentenceIn } from './words.ts'

const WARNINGS: SentencesOf<WarningCodes> = {
  ...FILES,
  ...SIGNATURES,
  ...CERTIFICATES,
  ...TIMESTAMPS,
}

/** What a report warns of, or why a timestamp does not count, es-MX. */
export const sentenceOfWarning = (warning: Warning) => sentenceIn<WarningCodes>(WARNINGS, warning)

export const isWarning = (fact: { readonly code: string }): fact is Warning =>
  Object.hasOwn(WARNINGS, fact.code)
