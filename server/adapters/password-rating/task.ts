/** What the worker is asked. */
export type RatingTask = { password: string; words: readonly string[] }

/** What it says, in the words of the library. */
export type RatingAnswer = {
  score: 0 | 1 | 2 | 3 | 4
  warning: string | null
  /** Of the words that the password is made of. */
  dictionaries: string[]
}
