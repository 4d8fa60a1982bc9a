import { expect, test } from 'vitest'
import { placeOfEntry, rowsName } from '#server/domain/backups/entry-name.ts'

const OF_ANOTHER_LOG = 'checkpoints-1fd1f74c-6090-4212-a01f-8de89e32fa66.jsonl'

test.each([
  ['respaldo.json', { kind: 'header' }],
  ['manifest.jsonl', { kind: 'manifest' }],
  ['checkpoints.jsonl', { kind: 'checkpoints', file: 'checkpoints.jsonl' }],
  [OF_ANOTHER_LOG, { kind: 'checkpoints', file: OF_ANOTHER_LOG }],
  [rowsName('audit_events', 12), { kind: 'rows', table: 'audit_events', part: 12 }],
  ['secrets/sealing-12.key', { kind: 'secret', file: 'sealing-12.key' }],
  [`files/ab/cd/abcd${'0'.repeat(60)}`, { kind: 'file', path: `ab/cd/abcd${'0'.repeat(60)}` }],
])('%s has a place', (name, place) => {
  expect(placeOfEntry(name)).toEqual(place)
})

test.each([
  ['a path out of the folder', 'files/../../etc/passwd'],
  ['a path out of the folder at its end', 'files/ab/..'],
  ['an absolute path', '/etc/passwd'],
  ['an absolute path below a known name', 'files//etc/passwd'],
  ['the separator of Windows', 'files/ab\\..\\..\\x'],
  ['a drive of Windows', 'files/C:/x'],
  ['a hidden file', 'files/.ssh/authorized_keys'],
  ['the folder itself', 'files/.'],
  ['an empty segment', 'files/ab//cd'],
  ['a folder', 'files/ab/'],
  ['a NUL', 'files/ab\0cd'],
  ['a line break', 'files/ab\ncd'],
  ['a path that is too deep', 'files/a/b/c/d/e/f/g'],
  ['a name that is too long', `files/${'a'.repeat(200)}`],
  ['checkpoints out of the folder', 'checkpoints-../../x.jsonl'],
  ['another key', 'secrets/id_rsa'],
  ['a key outside of its folder', 'secrets/../master.key'],
  ['another table name', 'database/"x"/000001.jsonl.gz'],
  ['a name of an object', '__proto__'],
  ['a method of an object', 'toString'],
  ['no name', ''],
])('%s has none', (_, name) => {
  expect(placeOfEntry(name)).toBeUndefined()
})
