import { expect, test } from 'vitest'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import { remarksOf } from '#server/domain/verification/remarks.ts'
import type { Change } from '#server/domain/verification/report.ts'

const change = (changes: Partial<Change>): Change =>
  ({
    revision: 2,
    level: 'OTHER',
    object: '30 0',
    ...changeFact('field-filled', { field: 'Precio', value: '1' }),
    ...changes,
  }) as Change

test('remarks: each attack once, a broken lock, a certification that is not the first', () => {
  const dictionary = { locks: [], references: [{ method: 'DocMDP' as const, level: 2 as const }] }
  const changes = [
    change({ attack: 'incremental-saving' }),
    change({ attack: 'incremental-saving', breaksLock: true }),
  ]
  const certification = { level: 2 as const, isOwn: false }
  expect(remarksOf({ dictionary, certification, changes })).toEqual([
    warning('attack-incremental-saving'),
    warning('locked-field-changed'),
    warning('certification-not-first'),
  ])
  const own = { dictionary, certification: { ...certification, isOwn: true } }
  expect(remarksOf({ ...own, changes: [change({})] })).toEqual([])
})
