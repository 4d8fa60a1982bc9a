import { expect, test } from 'vitest'
import { logKey } from '#server/domain/audit/checkpoint.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { logKeysOf } from '#server/domain/audit/log-keys.ts'

const seed = new Uint8Array(32).fill(7)
const [first, second, third] = ['1', '2', '3'].map((digit, number) => ({
  number: FIRST_LOG + number,
  id: `${digit.repeat(8)}-0000-4000-8000-000000000000`,
}))

test('keys of logs: the first log has the key of the file, each other one has its own', () => {
  const keys = logKeysOf(seed)
  const own = [first, second, third].map((log) => keys(log!).verifier)
  expect(own[0]).toEqual(logKey(seed).verifier)
  expect(new Set(own.map(({ name }) => name)).size).toBe(3)
  const other = logKeysOf(new Uint8Array(32).fill(8))
  expect(other(second!).verifier.name).not.toBe(own[1]!.name)
})

test('keys of logs: the same in each process, and made once in one', () => {
  const keys = logKeysOf(seed)
  for (const log of [first!, second!]) {
    expect(keys(log)).toBe(keys(log))
    expect(logKeysOf(seed)(log).verifier).toEqual(keys(log).verifier)
  }
})
