import { expect, test } from 'vitest'
import { caseOf } from '#tests/fuzz/cases.ts'
import { fuzz } from '#tests/fuzz/fuzz.ts'
import { BYTE_MUTATIONS } from '#tests/fuzz/mutations.ts'
import { randomFrom } from '#tests/fuzz/random.ts'
import type { Reader } from '#tests/fuzz/reader.ts'

const COUNT = 6000

test(`${COUNT} mutated inputs: no crash, no hang, nothing good that was not earned`, {
  timeout: 300_000,
}, async () => {
  const { counts, faults } = await fuzz(20261120, COUNT)
  console.info(
    Object.entries(counts)
      .map(([reader, tried]) => `${reader}: ${tried}`)
      .join(', '),
  )
  expect(faults.map(({ bytes, ...fault }) => ({ ...fault, length: bytes.length }))).toEqual([])
})

test('a case is the same whenever it is asked for', () => {
  const origins = [{ name: 'text', bytes: Uint8Array.of(1, 2, 3, 4, 5), faultOf: () => undefined }]
  const readers: Reader[] = [{ name: 'any', weight: 1, mutations: BYTE_MUTATIONS, origins }]
  const inputs = Array.from({ length: 50 }, (_, number) => caseOf(readers, 7, number).bytes)
  expect(inputs).toEqual(inputs.map((_, number) => caseOf(readers, 7, number).bytes))
  expect(new Set(inputs.map(String)).size).toBeGreaterThan(30)
  expect(randomFrom(1, 2).below(1000)).not.toBe(randomFrom(2, 1).below(1000))
})
