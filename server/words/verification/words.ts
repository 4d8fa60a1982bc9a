import type { FactOf } from '#server/domain/verification/facts/fact.ts'

/** One es-MX sentence for each code of a list: a code without one does not compile. */
export type SentencesOf<List> = {
  readonly [Code in keyof List]: (parameters: List[Code]) => string
}

/** The sentence of a fact. */
export function sentenceIn<List>(sentences: SentencesOf<List>, fact: FactOf<List>): string {
  // The parameters are those of the code, which the compiler cannot follow through a union.
  const sentence = sentences[fact.code] as (parameters: List[keyof List]) => string
  return sentence(fact.parameters)
}
