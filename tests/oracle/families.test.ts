import { beforeAll, describe, expect, test } from 'vitest'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { ALL_FAMILIES } from '#tests/attacks/all-families.ts'
import { OTHER_BASES } from '#tests/attacks/other-bases.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { createOracle, type Doubtful, examine } from './oracle.ts'

/* Whatever the families expect: what is called VALID must look as it was signed. */

let policy: VerificationPolicy
beforeAll(async () => {
  policy = await testPolicy()
})

const draw = createOracle()
let drawn = 0

describe.each([...ALL_FAMILIES, ...OTHER_BASES])('$name', ({ attacks }) => {
  test('every reader shows what was signed in each file that is called VALID', async () => {
    const doubtful: Doubtful[] = []
    for (const { name, make } of attacks) {
      const examined = examine(name, await make(), policy)
      if (examined.doubtful) doubtful.push(examined.doubtful)
    }
    const results = await draw(doubtful)
    drawn += results.length
    expect(
      results.flatMap(({ name, differences }) => differences.map((one) => [name, one])),
    ).toEqual([])
    expect(results.flatMap(({ name, unread }) => unread.map((one) => [name, one]))).toEqual([])
  })
})

test('some hundred files are drawn', () => {
  expect(drawn).toBeGreaterThan(200)
})
