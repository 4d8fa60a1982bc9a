import type { PasswordPattern } from '#server/domain/identity/passwords/patterns.ts'

/** What the worker is asked. */
export type RatingTask = { password: string; words: readonly string[] }

/** What it says; all but the pattern in the words of the library. */
export type RatingAnswer = {
  score: 0 | 1 | 2 | 3 | 4
  warning: string | null
  /** Of the words that the password is made of. */
  dictionaries: string[]
  pattern: PasswordPattern | undefined
}
