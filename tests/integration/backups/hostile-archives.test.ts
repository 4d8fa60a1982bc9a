import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encrypted } from '#server/adapters/backups/age-pieces.ts'
import { tarOf } from '#server/adapters/backups/tar.ts'
import { LATEST_STEP } from '#server/db/migrate.ts'
import { readRecipient } from '#server/domain/age/keys.ts'
import {
  type BackupHeader,
  BackupId,
  writeBackupHeader,
} from '#server/domain/backups/backup-header.ts'
import { type ManifestLine, writeManifestLine } from '#server/domain/backups/manifest.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { MORNING } from '#tests/support/builders.ts'
import {
  aBackupKey,
  anEmptyPlace,
  keyFile,
  restoreInto,
} from '#tests/support/office/installation.ts'

/* The public key is enough to make a file that opens, so its contents are not to be trusted. */

type Entry = { name: string; content: Uint8Array }

const text = (words: string) => new TextEncoder().encode(words)

function aHeader(changes: Partial<BackupHeader> = {}): BackupHeader {
  const id = BackupId.parse(randomUUID())
  return { format: 1, id, madeAt: MORNING, step: LATEST_STEP, since: null, ...changes }
}

/** A manifest that says of these entries what is true. */
function manifestOf(header: BackupHeader, entries: readonly Entry[]): Entry {
  const lines: ManifestLine[] = [
    { kind: 'header', header },
    ...entries.map(({ name, content }) => ({
      ...({ kind: 'held', name, bytes: content.length } as const),
      ...({ sha256: sha256(content), in: 'this' } as const),
    })),
    { kind: 'end', entries: entries.length },
  ]
  const content = text(lines.map((line) => `${writeManifestLine(line)}\n`).join(''))
  return { name: 'manifest.jsonl', content }
}

/** What a restore of the archive says, and whether it left something. */
async function outcomeOf(entries: readonly Entry[]) {
  const place = await anEmptyPlace('sqlite')
  const file = path.join(path.dirname(place.data), 'hostile.age')
  async function* given() {
    for (const { name, content } of entries)
      yield { name, bytes: content.length, pieces: piecesOf(content) }
  }
  const recipient = readRecipient(aBackupKey().recipient)!
  await writeFile(file, encrypted(tarOf(given(), new Date()), recipient))
  const { status, errors } = await restoreInto(place, '--identity', keyFile(place), file)
  const left = existsSync(place.data) ? readdirSync(place.data) : []
  return { status, sentence: errors[0] ?? '', left, beside: readdirSync(path.dirname(place.data)) }
}

async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

const wholeOf = (header: BackupHeader, entries: Entry[]) => [
  { name: 'respaldo.json', content: writeBackupHeader(header) },
  ...entries,
  manifestOf(header, entries),
]

/** Absolute, where nothing is. */
const ESCAPED = path.join(tmpdir(), `escaped-${randomUUID()}`)

test.each([
  '../escaped',
  'files/../../escaped',
  ESCAPED,
  'files/..\\..\\escaped',
  'files/.hidden',
  'secrets/authorized_keys',
  'database/../../escaped/000001.jsonl.gz',
  'respaldo.json',
])('an entry %j is refused', async (name) => {
  const { status, sentence, left, beside } = await outcomeOf(
    wholeOf(aHeader(), [{ name, content: text('x') }]),
  )
  expect([status, left]).toEqual([1, []])
  expect(sentence).toMatch(/no contiene un respaldo de Rúbrica completo/)
  expect(beside.toSorted()).toEqual(['hostile.age', 'key.txt'])
  expect(existsSync(ESCAPED)).toBe(false)
})

const header = aHeader()
const file: Entry = { name: 'files/ab/cd/abcd', content: text('content') }
const rows = (table: string, lines: string | Uint8Array): Entry => ({
  name: `database/${table}/000001.jsonl.gz`,
  content: gzipSync(lines),
})
const manifest = manifestOf(header, [file])
const start: Entry = { name: 'respaldo.json', content: writeBackupHeader(header) }

test.each<[string, Entry[]]>([
  ['no entries', []],
  ['no header', [file, manifest]],
  ['a header of a later format', [{ ...start, content: text('{"format":2}') }, manifest]],
  ['a header that is too large', [{ ...start, content: new Uint8Array(100_000) }, manifest]],
  ['no manifest', [start, file]],
  ['an entry behind the manifest', [start, file, manifest, file]],
  ['a manifest of another backup', [start, file, manifestOf(aHeader(), [file])]],
  [
    'a manifest that was cut',
    [start, file, { ...manifest, content: manifest.content.slice(0, -20) }],
  ],
  ['a manifest with a line that is none', [start, file, { ...manifest, content: text('hola\n') }]],
  ['other bytes than the manifest says', [start, { ...file, content: text('CONTENT') }, manifest]],
  ['an entry less than the manifest says', [start, manifest]],
  [
    'an entry that the manifest does not name',
    [start, file, { ...file, name: 'files/b' }, manifest],
  ],
  ['rows that are no rows', wholeOf(header, [rows('users', 'hola\n')])],
  ['rows that are not compressed', wholeOf(header, [{ ...rows('users', ''), content: text('x') }])],
])('an archive with %s is refused', async (_, entries) => {
  const { status, sentence, left } = await outcomeOf(entries)
  expect([status, left]).toEqual([1, []])
  expect(sentence).toMatch(/no contiene un respaldo de Rúbrica completo|no es un respaldo/)
})

test('rows of a table that this release does not have are refused', async () => {
  const { status, sentence, left } = await outcomeOf(
    wholeOf(header, [rows('nothing', '{"a":1}\n')]),
  )
  expect([status, left]).toEqual([1, []])
  expect(sentence).toContain('no contiene un respaldo')
})

test.each([
  ['that do not fit into their table', rows('users', '{"id":"x"}\n')],
  ['with columns that the table does not have', rows('attempts', '{"key":"a","other":1}\n')],
  [
    'that refer to rows that are not there',
    rows(
      'privacy_notices',
      '{"office_id":"x","version":1,"at":1,"by_user":"y","text":"z","sha256":"a"}\n',
    ),
  ],
])('rows %s are refused', async (_, entry) => {
  const { status, sentence, left } = await outcomeOf(wholeOf(header, [entry]))
  expect([status, left]).toEqual([1, []])
  expect(sentence).toContain('no contiene un respaldo')
})

test('rows of the migrations cannot be smuggled in', async () => {
  const smuggled = rows('kysely_migration', '{"name":"9999-x","timestamp":"x"}\n')
  const { status, left } = await outcomeOf(wholeOf(header, [smuggled]))
  expect([status, left]).toEqual([1, []])
})

test('a backup of a later release is named as such', async () => {
  const { status, sentence } = await outcomeOf(wholeOf(aHeader({ step: '9999-later' }), []))
  expect([status, sentence]).toEqual([1, expect.stringMatching(/de una versión más nueva/)])
})

test('a part that expands without end is stopped', async () => {
  const bomb = rows('users', Buffer.alloc(300 << 20, '\n'))
  const { status, sentence, left } = await outcomeOf(wholeOf(header, [bomb]))
  expect([status, left]).toEqual([1, []])
  expect(sentence).toContain('no contiene un respaldo')
})
