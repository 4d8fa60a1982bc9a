import { expect, test } from 'vitest'
import { parseStrictJson } from '#app/http/strict-json.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'

test.each([
  '{}',
  '[]',
  'null',
  '"x"',
  '{"a":1,"b":{"a":[{"a":2},{"a":3}]}}',
  '{"a":"a","b":"a:{}[],\\"a\\":1"}',
  // As deep as is allowed.
  `${'['.repeat(16)}${']'.repeat(16)}`,
  ' { "ñ" : "𝔘nicode \\ud835\\udd18 \\\\" , "n" : -1.5e3 , "t" : true }\n',
])('%s is parsed', (text) => {
  expect(parseStrictJson(text)).toEqual(JSON.parse(text))
})

test.each([
  ['nothing', ''],
  ['broken', '{"a":1'],
  ['two values', '{}{}'],
  ['single quotes', "{'a':1}"],
  ['a comma too many', '{"a":1,}'],
  ['NaN', '{"a":NaN}'],
  ['a byte order mark', '\ufeff{}'],
  ['a name twice', '{"a":1,"a":2}'],
  ['a name twice, once escaped', '{"a":1,"\\u0061":2}'],
  ['a name twice, deeper', '{"x":[{"b":{},"c":"b","b":1}]}'],
  ['__proto__', '{"__proto__":{"isAdmin":true}}'],
  ['__proto__, escaped', '{"\\u005f_proto__":1}'],
  ['constructor', '{"a":{"constructor":{"prototype":{"x":1}}}}'],
  ['NUL', '{"a":"x\\u0000"}'],
  ['NUL in a name', '{"x\\u0000":1}'],
  ['half a character', '{"a":"\\ud835"}'],
  ['seventeen levels', '['.repeat(17) + ']'.repeat(17)],
  ['thirty thousand levels', '['.repeat(30_000) + ']'.repeat(30_000)],
])('%s is refused', (_, text) => {
  expect(() => parseStrictJson(text)).toThrow(
    expect.objectContaining({ name: 'Problem', code: 'bad-request' }),
  )
})

test('sixty-four kilobytes are read in no time', async () => {
  const time = await cpuTimeOf(() => {
    parseStrictJson(JSON.stringify({ a: 'x"\\'.repeat(16_000) }))
    parseStrictJson(`[${'{},'.repeat(20_000)}{}]`)
  })
  expect(time).toBeLessThan(300)
})
