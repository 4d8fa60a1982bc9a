import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '#server/adapters/clock.ts'
import { recoverAdministrator } from '#server/cli/recover-administrator.ts'
import { listEvents } from '#server/db/audit/event-pages.ts'
import { openDatabase } from '#server/db/database.ts'
import { findOpenActivation } from '#server/db/people/activations.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { ListAlerts, listAlerts } from '#server/features/alerts/list-alerts.ts'
import type { System } from '#server/system.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { viewOf } from '#tests/support/office/log-events.ts'
import { said } from '#tests/support/processes/command-line.ts'

/** An office with a sole administrator and a clerk. */
async function anInstallation() {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-recover-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const db = openDatabase(path.join(folder, 'rubrica.sqlite'))
  onTestFinished(() => db.close())
  await db.migrate()
  const office = await storedOffice(db)
  const administrator = await storedUser(db, office, ['ADMIN'])
  const clerk = await storedUser(db, office, ['CLERK'])
  const run = (...args: string[]) =>
    said(() => {
      vi.stubEnv('DATA_DIR', folder)
      return recoverAdministrator(args)
    })
  const alerts = () => db.selectFrom('alerts').select(['kind', 'user_id']).execute()
  const events = async () => (await listEvents(db, { view: viewOf(office.id), limit: 10 })).events
  return { db, administrator, clerk, run, alerts, events }
}

test('a sole administrator gets a link; the log has it, and all users are alerted', async () => {
  const { db, administrator, clerk, run, alerts, events } = await anInstallation()
  const { status, output } = await run('--email', administrator.email)
  expect(status).toBe(0)
  const code = ActivationCode.parse(new URL(output[1] ?? '').hash.slice(1))
  const activation = await findOpenActivation(db, code, systemClock.now())
  expect(activation).toMatchObject({ userId: administrator.id, purpose: 'recovery' })
  expect((await alerts()).toSorted((a, b) => (a.user_id! < b.user_id! ? -1 : 1))).toEqual(
    [administrator.id, clerk.id].toSorted().map((user_id) => ({
      kind: 'administrator-recovered',
      user_id,
    })),
  )
  expect((await events())[0]).toMatchObject({
    action: 'activation.created',
    actor: { kind: 'system', name: 'rubrica recover-administrator' },
    details: { purpose: 'recovery', user: administrator.id },
  })
})

test('the alert and its mail name the administrator', async () => {
  const { db, administrator, clerk, run } = await anInstallation()
  await run('--email', administrator.email)
  const name = fullName(administrator)
  for (const reader of [administrator, clerk]) {
    const listed = await listAlerts(
      { db, clock: systemClock } as System,
      asPerson(reader),
      ListAlerts.parse({}),
    )
    expect(listed.alerts.map(({ about }) => about)).toEqual([name])
  }
  const mails = await db.selectFrom('outbox').select('text').execute()
  expect(mails.map(({ text }) => text?.includes(name))).toEqual([true, true])
})

test('a second link revokes the first one', async () => {
  const { db, administrator, run } = await anInstallation()
  await run('--email', administrator.email)
  await run('--email', administrator.email)
  const open = await db.selectFrom('activations').select('id').where('state', '=', 'open').execute()
  expect(open).toHaveLength(1)
})

test.each(['clerk', 'nadie@notaria.example'])('%s is no administrator: no link', async (who) => {
  const { clerk, run, alerts, events } = await anInstallation()
  const { status, output, errors } = await run('--email', who === 'clerk' ? clerk.email : who)
  expect([status, output]).toEqual([1, []])
  expect(errors[0]).toContain('Ningún administrador activo')
  expect([await alerts(), await events()]).toEqual([[], []])
})

test('a wrong folder gets no database', async () => {
  const empty = mkdtempSync(path.join(tmpdir(), 'rubrica-empty-'))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  const inEmpty = (...args: string[]) =>
    said(() => {
      vi.stubEnv('DATA_DIR', empty)
      return recoverAdministrator(args)
    })
  expect((await inEmpty('--email', 'a@notaria.example')).errors[0]).toContain('revise DATA_DIR')
  expect((await inEmpty()).status).toBe(2)
  expect(readdirSync(empty)).toEqual([])
})
