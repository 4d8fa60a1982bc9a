import { expect, test } from 'vitest'
import { allFromPem, derFromPem } from '#server/domain/asn1/pem.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'

const BEGIN = '-----BEGIN CERTIFICATE-----\n'
const END = '\n-----END CERTIFICATE-----\n'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const blocksIn = (text: string, most?: number) =>
  allFromPem(bytesOf(text), 'CERTIFICATE', most).map((block) => [...block])

test('PEM: every block is read, in order, whatever lies between', () => {
  const text = `uno\n${BEGIN}AQ==${END}dos\r\n${BEGIN}Ag==${END}`
  expect(blocksIn(text)).toEqual([[1], [2]])
  expect(blocksIn(text, 1)).toEqual([[1]])
  expect(derFromPem(bytesOf(text), 'CERTIFICATE')).toEqual(Uint8Array.of(1))
})

test('PEM: a block that is broken off costs no later one', () => {
  expect(blocksIn(`${BEGIN}AQ==\n${BEGIN}Ag==${END}${BEGIN}Aw==${END}`)).toEqual([[2], [3]])
  expect(blocksIn(`${BEGIN}!!${END}${BEGIN}Ag==${END}`)).toEqual([[2]])
  expect(blocksIn(`${END}${BEGIN}Ag==${END}${BEGIN}Aw==`)).toEqual([[2]])
  expect(blocksIn('nada')).toEqual([])
})

test.each([
  ['openings before one closing', `${BEGIN.repeat(36_000)}AQ==${END}`],
  ['closings without an opening', END.repeat(38_000)],
  ['openings without a closing', BEGIN.repeat(37_000)],
])('PEM: %s are read in linear time', async (_, text) => {
  const file = bytesOf(text)
  expect(await cpuTimeOf(() => allFromPem(file, 'CERTIFICATE'))).toBeLessThan(500)
})
