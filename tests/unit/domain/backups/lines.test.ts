import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type BackupHeader,
  BackupId,
  readBackupHeader,
  writeBackupHeader,
} from '#server/domain/backups/backup-header.ts'
import { readManifestLine, writeManifestLine } from '#server/domain/backups/manifest.ts'
import { backupDueAt } from '#server/domain/backups/overdue.ts'
import { lineOfRow, rowInLine } from '#server/domain/backups/row-lines.ts'
import { after, days } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

const header: BackupHeader = {
  format: 1,
  id: BackupId.parse(randomUUID()),
  madeAt: MORNING,
  step: '0031-backups',
  since: null,
}

test('rows: texts, numbers, bytes and nothing come back as they were', () => {
  const row = {
    id: 'ñandú "comillas" \u2028 \\ \n',
    at: 1_795_000_000_123,
    zero: 0,
    none: null,
    bytes: Buffer.from([0, 255, 10, 13]),
    empty: Buffer.alloc(0),
  }
  const line = lineOfRow(row)
  expect(line).not.toContain('\n')
  expect(rowInLine(line)).toEqual(row)
})

test.each([
  ['a number that has no form', Number.NaN],
  ['an integer that JSON does not keep', 2n as never],
  ['a truth', true as never],
])('rows: %s is refused, not lost', (_, value) => {
  expect(() => lineOfRow({ value })).toThrow()
})

test.each(['[]', '{"a":{"base64":"!"}}', '{"a":{"b":1}}', '{"A b":1}', 'null', '{'])(
  'rows: %s is no row',
  (text) => {
    expect(() => rowInLine(text)).toThrow()
  },
)

test('header: comes back as it was; one of a later format is none', () => {
  expect(readBackupHeader(writeBackupHeader(header))).toEqual(header)
  const later = JSON.stringify({ ...header, format: 2 })
  for (const text of [later, '{}', 'nothing', '\xff'])
    expect(readBackupHeader(Buffer.from(text, 'latin1'))).toBeUndefined()
})

test('manifest: its lines come back as they were; others are none', () => {
  const lines = [
    { kind: 'header', header },
    { kind: 'held', name: 'files/a', bytes: 7, sha256: '0'.repeat(64), in: 'before' },
    { kind: 'missing', name: 'files/b' },
    { kind: 'end', entries: 1 },
  ]
  for (const line of lines) expect(readManifestLine(writeManifestLine(line as never))).toEqual(line)
  for (const text of ['', '{}', '{"kind":"held"}', '{"kind":"end","entries":-1}'])
    expect(readManifestLine(text)).toBeUndefined()
})

test('due: after the wanted time, and the first one after three days at most', () => {
  const made = after(MORNING, days(10))
  expect(backupDueAt(made, MORNING, days(7))).toBe(after(made, days(7)))
  expect(backupDueAt(undefined, MORNING, days(7))).toBe(after(MORNING, days(3)))
  expect(backupDueAt(undefined, MORNING, days(1))).toBe(after(MORNING, days(1)))
})
