import type { CodedFactOf } from '#server/domain/verification/codes/coded-fact.ts'

/** One es-MX sentence for each code of a list: a code without one does not compile. */
export type SentencesOf<Codes> = {
  readonly [Code in keyof Codes]: (parameters: Codes[Code]) => string
}

/** The sentence of a fact. */
export function sentenceIn<Codes>(sentences: SentencesOf<Codes>, fact: CodedFactOf<Codes>): string {
  // The parameters are those of the code, which the compiler cannot follow through a union.
  const sentence = sentences[fact.code] as (parameters: Codes[keyof Codes]) => string
  return sentence(fact.parameters)
}
