import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { insertBackup } from '#server/db/backups/backups.ts'
import { Backup } from '#server/domain/backups/backup.ts'
import { AlertId } from '#server/domain/ids.ts'
import { after, before, days, hours, type Instant, toTimestamp } from '#server/domain/time.ts'
import { resolveAlert } from '#server/features/alerts/resolve-alert.ts'
import { examineBackups } from '#server/features/backups/examine-backups.ts'
import { readBackupState } from '#server/features/backups/read-backup-state.ts'
import { recordBackup } from '#server/features/backups/record-backup.ts'
import { watchBackups } from '#server/features/backups/watch-backups.ts'
import { sentenceOfFinding } from '#server/words/findings.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const aBackup = (madeAt: Instant) =>
  Backup.parse({
    ...{ id: randomUUID(), madeAt, since: null, recipient: 'age1…' },
    ...{ bytes: 1000, files: 1, missing: 0 },
  })

async function anOffice(system: TestSystem) {
  const office = await storedOffice(system.db)
  const admin = await storedUser(system.db, office, ['ADMIN'])
  await system.db.transaction((trx) =>
    appendSystemEvent(trx, {
      ...{ by: 'test', at: system.clock.now(), officeId: office.id },
      ...{ action: 'office.created', subject: { kind: 'nothing' }, result: 'success', details: {} },
    }),
  )
  return { office, admin }
}

/** As the job finds it. */
const watched = (system: TestSystem, backupAge: Parameters<typeof days>[0] | null = 7) => ({
  ...system,
  settings: { ...system.settings, backupAge: backupAge === null ? null : days(backupAge) },
})

const alerts = ({ db }: TestSystem) =>
  db.selectFrom('alerts').select(['kind', 'state', 'facts', 'user_id']).orderBy('at').execute()

onEachSystem('overdue backups', (system) => {
  test('an office without a backup is told once after three days, and mailed', async () => {
    await anOffice(system())
    system().wait(days(2))
    await watchBackups(watched(system()))
    expect(await alerts(system())).toEqual([])
    system().wait(days(1))
    await watchBackups(watched(system()))
    system().wait(hours(1))
    await watchBackups(watched(system()))
    expect(await alerts(system())).toEqual([
      { kind: 'backup-overdue', state: 'open', facts: '{}', user_id: null },
    ])
    expect(await system().db.selectFrom('outbox').selectAll().execute()).toHaveLength(1)
  })

  test('alert that a person resolves while the backup is overdue: comes back after a day, not at the next look', async () => {
    const { admin } = await anOffice(system())
    system().wait(days(3))
    await watchBackups(watched(system()))
    const [raised] = await system().db.selectFrom('alerts').select('id').execute()
    await resolveAlert(system(), asPerson(admin), { alertId: AlertId.parse(raised?.id) })
    system().wait(hours(23))
    await watchBackups(watched(system()))
    expect((await alerts(system())).map(({ state }) => state)).toEqual(['resolved'])
    system().wait(hours(2))
    await watchBackups(watched(system()))
    expect((await alerts(system())).map(({ state }) => state)).toEqual(['resolved', 'open'])
  })

  test('a backup resolves the alert; a week later there is another', async () => {
    await anOffice(system())
    system().wait(days(3))
    await watchBackups(watched(system()))
    await recordBackup(system(), aBackup(system().clock.now()))
    system().wait(days(6))
    await watchBackups(watched(system()))
    expect((await alerts(system())).map(({ state }) => state)).toEqual(['resolved'])
    system().wait(days(1))
    await watchBackups(watched(system()))
    expect((await alerts(system())).at(-1)).toMatchObject({ state: 'open', facts: '{"days":7}' })
  })

  test('an examination says the age of the last backup, and warns when it is overdue or missing', async () => {
    await anOffice(system())
    expect(await examineBackups(watched(system(), null))).toEqual([])
    expect((await examineBackups(watched(system()))).map(sentenceOfFinding)).toEqual([
      'No hay ningún respaldo: haga uno con “rubrica backup”.',
    ])
    const madeAt = system().clock.now()
    await recordBackup(system(), aBackup(madeAt))
    const parameters = { madeAt: toTimestamp(madeAt), days: 0 }
    expect(await examineBackups(watched(system()))).toEqual([
      { code: 'backup-held', level: 'good', parameters },
    ])
    system().wait(days(6))
    expect((await examineBackups(watched(system()))).map(sentenceOfFinding)).toEqual([
      'El último respaldo es de hace 6 días.',
    ])
    system().wait(days(1))
    expect(await examineBackups(watched(system()))).toEqual([
      { code: 'backup-overdue', level: 'warning', parameters: { ...parameters, days: 7 } },
    ])
    expect(await examineBackups(watched(system(), null))).toMatchObject([{ code: 'backup-held' }])
  })

  test('an operator who does not want to be told is not', async () => {
    await anOffice(system())
    system().wait(days(400))
    await watchBackups(watched(system(), null))
    expect(await alerts(system())).toEqual([])
  })

  test('a backup by a clock that was wrong does not silence the alert', async () => {
    await anOffice(system())
    const now = system().clock.now()
    const later = after(now, days(4000))
    await system().db.transaction((trx) => insertBackup(trx, aBackup(later)))
    system().wait(days(3))
    await watchBackups(watched(system()))
    expect(await alerts(system())).toHaveLength(1)
  })

  test('before the first office there is nothing to tell', async () => {
    system().wait(days(400))
    await watchBackups(watched(system()))
    expect(await alerts(system())).toEqual([])
  })

  test('the settings show the last backup and whether one is due', async () => {
    const { admin } = await anOffice(system())
    system().wait(days(10))
    const last = aBackup(before(system().clock.now(), days(8)))
    await system().db.transaction((trx) => insertBackup(trx, last))
    const state = await readBackupState(watched(system()), asPerson(admin))
    expect(state).toEqual({ last, dueAt: last.madeAt + days(7), isOverdue: true })
  })
})
