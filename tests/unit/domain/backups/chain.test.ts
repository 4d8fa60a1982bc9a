import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type BackupHeader, BackupId } from '#server/domain/backups/backup-header.ts'
import { chainOf } from '#server/domain/backups/chain.ts'
import { after, days } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

function aBackup(day: number, since: BackupHeader | null): BackupHeader {
  return {
    format: 1,
    id: BackupId.parse(randomUUID()),
    madeAt: after(MORNING, days(day)),
    step: '0031-backups',
    since: since && { id: since.id, madeAt: since.madeAt },
  }
}

const whole = aBackup(0, null)
const monday = aBackup(1, whole)
const tuesday = aBackup(2, monday)
const otherTuesday = aBackup(2, monday)
const other = aBackup(3, null)

test('a whole backup alone is a chain', () => {
  expect(chainOf([whole])).toEqual({ kind: 'whole', chain: [whole] })
})

test.each([
  ['in order', [whole, monday, tuesday]],
  ['newest first', [tuesday, monday, whole]],
  ['mixed', [monday, tuesday, whole]],
])('a chain given %s is put in order', (_, headers) => {
  expect(chainOf(headers)).toEqual({ kind: 'whole', chain: [whole, monday, tuesday] })
})

test.each([
  ['the whole one', [monday, tuesday], whole],
  ['one between', [whole, tuesday], monday],
  ['the one before', [tuesday], monday],
])('without %s: it is named', (_, headers, needed) => {
  expect(chainOf(headers)).toEqual({
    kind: 'missing',
    needed: { id: needed.id, madeAt: needed.madeAt },
  })
})

test('two that end differently, or belong to different chains, are not mixed', () => {
  expect(chainOf([whole, monday, tuesday, otherTuesday]).kind).toBe('unrelated')
  expect(chainOf([whole, monday, other])).toEqual({ kind: 'unrelated', stray: monday })
})

test('one that is given twice is refused', () => {
  expect(chainOf([whole, { ...whole }]).kind).toBe('repeated')
})

test('two that claim to stand on each other end', () => {
  const one = aBackup(1, null)
  const two = aBackup(2, one)
  const circle = { ...one, since: { id: two.id, madeAt: two.madeAt } }
  expect(chainOf([circle, two]).kind).toBe('unrelated')
  expect(chainOf([circle, two, whole]).kind).toBe('unrelated')
})
