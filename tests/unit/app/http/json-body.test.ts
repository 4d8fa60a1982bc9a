import { expect, test } from 'vitest'
import { isJson, readJson } from '#app/http/json-body.ts'

const sent = (body: Uint8Array<ArrayBuffer> | string, type = 'application/json') =>
  new Request('http://localhost/', { method: 'POST', headers: { 'Content-Type': type }, body })

test.each([
  ['application/json', true],
  ['Application/JSON; charset=UTF-8', true],
  ['application/json; charset="utf-8"', true],
  ['application/json; charset=latin1', false],
  ['text/json', false],
])('%s is JSON: %s', (type, isOne) => {
  expect(isJson(sent('{}', type))).toBe(isOne)
})

test('JSON: is read as UTF-8, and refused if it is none or begins with a byte order mark', async () => {
  expect(await readJson(sent('{"name":"Muñoz"}'))).toEqual({ name: 'Muñoz' })
  const latin1 = Uint8Array.from(Buffer.from('{"name":"Muñoz"}', 'latin1'))
  await expect(readJson(sent(latin1))).rejects.toMatchObject({ code: 'bad-request' })
  await expect(readJson(sent('\ufeff{}'))).rejects.toMatchObject({ code: 'bad-request' })
})

test('JSON: 64 KiB are read, a byte more is refused', async () => {
  const text = (length: number) => JSON.stringify('x'.repeat(length - 2))
  expect(await readJson(sent(text(64 * 1024)))).toHaveLength(64 * 1024 - 2)
  await expect(readJson(sent(text(64 * 1024 + 1)))).rejects.toMatchObject({ code: 'too-large' })
})
