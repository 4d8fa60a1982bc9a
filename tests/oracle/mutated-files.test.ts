import { expect, test } from 'vitest'
import { drawMutatedFiles } from './mutated-files.ts'

const COUNT = 120
const SEED = 12

test('mutated files: every reader shows what was signed where the verdict is VALID', async () => {
  const { made, valid, drawn, unread, found } = await drawMutatedFiles(
    { seed: SEED, numbers: Array.from({ length: COUNT }, (_, at) => at), threads: 2 },
    () => {},
  )
  expect({ made, found }).toEqual({ made: COUNT, found: [] })
  // Some signed parts are crooked themselves: a reader that opens neither them nor the whole shows no difference.
  for (const [reader, files] of Object.entries(unread))
    expect(files.length, reader).toBeLessThan(drawn / 10)
  expect(drawn).toBe(valid)
  expect(valid).toBeGreaterThan(COUNT / 20)
})
