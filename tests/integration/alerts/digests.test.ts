import { expect, test } from 'vitest'
import type { AlertSeverity } from '#server/domain/alerts/alert.ts'
import type { AlertMail } from '#server/domain/alerts/alert-mail.ts'
import type { User } from '#server/domain/identity/user.ts'
import { after, before, days, hours, minutes } from '#server/domain/time.ts'
import { chooseAlertMail, readAlertMail } from '#server/features/alerts/choose-alert-mail.ts'
import { sendDigests } from '#server/features/alerts/send-digests.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

onEachSystem('alerts by mail', (current) => {
  test('preference: each at once by default; a change is logged, the same choice again is not', async () => {
    const system = current()
    const { admin } = await anOffice(system)
    expect(await readAlertMail(system, asPerson(admin))).toBe('each')
    await choose(system, admin, 'daily')
    await choose(system, admin, 'daily')
    expect(await readAlertMail(system, asPerson(admin))).toBe('daily')
    expect(await system.log()).toMatchObject([
      { action: 'user.changed', details: { changed: 'alertMail', alertMail: 'daily' } },
    ])
  })

  test.each<[AlertMail, string[]]>([
    ['each', ['Falta un respaldo', 'Contraseña cambiada']],
    ['daily', ['Contraseña cambiada']],
    ['none', ['Contraseña cambiada']],
  ])('preference %s: mails at once %j', async (mail, wanted) => {
    const system = current()
    const { admin } = await anOffice(system)
    await choose(system, admin, mail)
    await raise(system, admin, 'backup-overdue')
    await raise(system, admin, 'password-changed')
    const subjects = (await mails(system)).map(({ subject }) => subject)
    expect(subjects).toEqual(wanted.map((title) => `Alerta de Rúbrica: ${title}`))
  })

  test('digest: one mail at seven in the morning with what came since the last, also by two processes', async () => {
    const system = current()
    const { admin } = await anOffice(system)
    await choose(system, admin, 'daily')
    await raise(system, admin, 'backup-overdue')
    await raise(system, admin, 'file-damaged', { folio: '2026-000123', version: 1 })
    await bothSend(system)
    expect(await mails(system)).toEqual([])

    // MORNING is 9:00 in the office.
    system.wait(hours(21))
    await bothSend(system)
    system.wait(hours(1))
    await bothSend(system)
    await bothSend(system)
    const [mail, ...others] = await mails(system)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      kind: 'alert-digest',
      to_address: admin.email,
      subject: 'Resumen de alertas de Rúbrica',
    })
    expect(mail?.text).toContain('Falta un respaldo')
    expect(mail?.text).toContain('Archivo dañado: 2026-000123')

    system.wait(days(1))
    await bothSend(system)
    expect(await mails(system)).toHaveLength(1)
    await raise(system, admin, 'disk-low')
    system.wait(days(1))
    await bothSend(system)
    expect((await mails(system)).at(-1)?.text).not.toContain('Falta un respaldo')
    expect(await mails(system)).toHaveLength(2)
  })

  test('digest: is not left out for long after the clock was wrong', async () => {
    const system = current()
    const { admin } = await anOffice(system)
    const { clock } = system
    const wrong = after(clock.now(), days(400))
    await choose({ ...system, clock: { now: () => wrong } }, admin, 'daily')
    await raise(system, admin, 'backup-overdue')
    system.wait(minutes(2))
    await bothSend(system)
    await bothSend(system)
    expect((await mails(system)).map(({ kind }) => kind)).toEqual(['alert-digest'])
    await raise(system, admin, 'disk-low')
    system.wait(days(1))
    await sendDigests(system)
    expect(await mails(system)).toHaveLength(2)
  })

  test('digest: says that there are more than it has', async () => {
    const system = current()
    const { admin } = await anOffice(system)
    await choose(system, admin, 'daily')
    for (let index = 0; index < 101; index += 1) await raise(system, admin, 'backup-overdue')
    system.wait(days(1))
    await sendDigests(system)
    const [mail] = await mails(system)
    expect(mail?.text).toContain('Falta un respaldo (100)')
    expect(mail?.text).toContain('Hay más.')
  })

  test('digest: an alert that commits late, or has the time of a slower clock, is in the next mail', async () => {
    const system = current()
    const { admin } = await anOffice(system)
    await choose(system, admin, 'daily')
    await raise(system, admin, 'backup-overdue')
    system.wait(days(1))
    await sendDigests(system)
    const earlier = before(system.clock.now(), minutes(1))
    await raise({ ...system, clock: { now: () => earlier } }, admin, 'disk-low')
    system.wait(days(1))
    await sendDigests(system)
    const [first, second, ...others] = await mails(system)
    expect(first?.text).toContain('Falta un respaldo')
    expect(second?.text).toContain('Queda poco espacio en el disco')
    expect(second?.text).not.toContain('Falta un respaldo')
    expect(others).toEqual([])
  })

  test('digest: does not say that there are more if it has all', async () => {
    const system = current()
    const { admin } = await anOffice(system)
    await choose(system, admin, 'daily')
    for (let index = 0; index < 100; index += 1) await raise(system, admin, 'backup-overdue')
    system.wait(days(1))
    await sendDigests(system)
    const [mail] = await mails(system)
    expect(mail?.text).toContain('Falta un respaldo (100)')
    expect(mail?.text).not.toContain('Hay más.')
  })

  test('digest: information that came later, however much, does not hide what is mailed', async () => {
    const system = current()
    const { admin } = await anOffice(system)
    await choose(system, admin, 'daily')
    await raise(system, admin, 'backup-overdue')
    for (let index = 0; index < 100; index += 1)
      await raise(system, admin, 'signing-rejected', {}, 'information')
    system.wait(days(1))
    await sendDigests(system)
    const [mail] = await mails(system)
    expect(mail?.text).toContain('Falta un respaldo')
    expect(mail?.text).not.toContain('Firma rechazada')
  })

  test('digest: names folio and kind of what was rejected, and no client', async () => {
    const system = current()
    const { admin } = await anOffice(system)
    await choose(system, admin, 'daily')
    await raise(system, admin, 'signing-rejected', {
      ...{ session: 'Compraventa Núñez', by: 'Iván Núñez' },
      ...{ folio: '2026-000123', documentKind: 'testimony' },
    })
    system.wait(days(1))
    await sendDigests(system)
    const [mail] = await mails(system)
    expect(mail?.text).toContain('Firma rechazada: 2026-000123 (Testimonio)')
    expect(`${mail?.text}${mail?.subject}`).not.toContain('Núñez')
  })

  test('digest: has no alert that was resolved, or is only information, or is of others', async () => {
    const system = current()
    const { admin, clerk } = await anOffice(system)
    await choose(system, clerk, 'daily')
    await raise(system, admin, 'backup-overdue')
    await system.db.transaction((trx) =>
      raiseAlert(trx, {
        ...{ officeId: clerk.officeId, userId: clerk.id, kind: 'new-device' },
        ...{ severity: 'information', occasion: 'one', at: system.clock.now() },
      }),
    )
    system.wait(days(1))
    await sendDigests(system)
    const digests = (await mails(system)).filter(({ kind }) => kind === 'alert-digest')
    expect(digests).toEqual([])
  })

  test('digest: of a suspended user is not sent', async () => {
    const system = current()
    const { admin } = await anOffice(system)
    await choose(system, admin, 'daily')
    await raise(system, admin, 'backup-overdue')
    await system.db.transaction((trx) =>
      trx.updateTable('users').set({ state: 'suspended' }).where('id', '=', admin.id).execute(),
    )
    system.wait(days(1))
    await sendDigests(system)
    expect(await mails(system)).toEqual([])
  })
})

async function anOffice({ db }: TestSystem) {
  const office = await storedOffice(db)
  const admin = await storedUser(db, office, ['ADMIN'])
  const clerk = await storedUser(db, office, ['CLERK'])
  return { admin, clerk }
}

const choose = (system: TestSystem, user: User, mail: AlertMail) =>
  chooseAlertMail(system, asPerson(user), { mail })

async function bothSend(system: TestSystem): Promise<void> {
  await Promise.all([sendDigests(system), sendDigests(system)])
}

let alerts = 0

/** An alert of the user's own for accounts and rejections, else of the office. */
async function raise(
  system: TestSystem,
  { id, officeId }: User,
  kind: 'backup-overdue' | 'disk-low' | 'file-damaged' | 'password-changed' | 'signing-rejected',
  facts = {},
  severity: AlertSeverity = 'warning',
): Promise<void> {
  alerts += 1
  system.wait(minutes(1))
  const isOwn = kind === 'password-changed' || kind === 'signing-rejected'
  await system.db.transaction((trx) =>
    raiseAlert(trx, {
      ...{ officeId, userId: isOwn ? id : null, kind, severity, facts },
      ...{ occasion: `test:${alerts}`, at: system.clock.now() },
    }),
  )
}

const mails = ({ db }: TestSystem) =>
  db
    .selectFrom('outbox')
    .select(['kind', 'subject', 'text', 'to_address'])
    .orderBy('created_at')
    .execute()
