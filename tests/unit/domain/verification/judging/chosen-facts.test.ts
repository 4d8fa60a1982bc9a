import { expect, test } from 'vitest'
import { chosenFacts } from '#server/domain/verification/chosen-facts.ts'

const choice = {
  most: 3,
  ofEach: 9,
  letters: 1000,
  lettersIn: () => 1,
  ranksOf: (facts: readonly { rank: number }[]) => facts.map(({ rank }) => rank),
}

test('chosen facts: behind the first of each list, the most important of all lists come next', () => {
  const [dull, grave] = [
    [{ rank: 5 }, { rank: 1 }],
    [{ rank: 9 }, { rank: 7 }],
  ]
  expect(chosenFacts([dull!, grave!], choice)).toEqual([[{ rank: 5 }], [{ rank: 9 }, { rank: 7 }]])
})
