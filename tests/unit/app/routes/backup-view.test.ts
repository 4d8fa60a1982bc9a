import { expect, test } from 'vitest'
import { backupView } from '#app/routes/settings/backup-view.ts'
import { after, days, parseInstant } from '#server/domain/time.ts'

const madeAt = parseInstant('2026-11-20T18:00:00Z')
const last = { madeAt, since: null, bytes: 3_400_000, missing: 0 } as never
const dueAt = after(madeAt, days(7))

const viewOf = (state: Partial<Parameters<typeof backupView>[0]>) =>
  backupView({ last, dueAt, isOverdue: false, ...state }, 'America/Mexico_City')

test.each([
  [{}, 'Al corriente', 'good'],
  [{ dueAt: null }, 'Al corriente', 'good'],
  [{ isOverdue: true }, 'Atrasado', 'bad'],
  [{ last: undefined }, 'Sin respaldo', 'wait'],
  [{ last: undefined, dueAt: null }, 'Sin respaldo', 'note'],
  [{ last: undefined, isOverdue: true }, 'Sin respaldo', 'bad'],
])('backups: %j is told as “%s”', (state, word, tone) => {
  expect(viewOf(state).state).toEqual({ word, tone })
})

test('backup: the last one is told with its time in the zone of the office, its content and size', () => {
  expect(viewOf({})).toMatchObject({
    last: expect.stringContaining('20 nov 2026, 12:00'),
    content: 'Toda la notaría, 3 MB',
    missing: null,
    due: expect.stringContaining('27 nov 2026'),
  })
  const partial = { ...(last as object), since: 'x', bytes: 900, missing: 2 } as never
  expect(viewOf({ last: partial })).toMatchObject({
    ...{ content: 'Lo nuevo desde el anterior, menos de 1 MB', missing: 2 },
  })
})
