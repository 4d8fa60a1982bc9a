import { beforeEach, expect, test } from 'vitest'
import type { NewAlert } from '#server/db/alerts/alerts.ts'
import type { OutboxRow } from '#server/db/tables/mail.ts'
import { Email } from '#server/domain/identity/email.ts'
import { MailId } from '#server/domain/ids.ts'
import { after, type Duration, hours, minutes } from '#server/domain/time.ts'
import { activateAccount } from '#server/features/auth/activate-account.ts'
import { discardMail } from '#server/features/mail/discard-mail.ts'
import { ListOutbox, listOutbox } from '#server/features/mail/list-outbox.ts'
import { readMail, readSecretMail } from '#server/features/mail/read-mail.ts'
import { retryMail } from '#server/features/mail/retry-mail.ts'
import { changeUser } from '#server/features/users/change-user.ts'
import { InviteUser, inviteUser } from '#server/features/users/invite-user.ts'
import { issueRecovery } from '#server/features/users/issue-recovery.ts'
import { renewInvitation } from '#server/features/users/renew-invitation.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { queueMail } from '#server/steps/mail/queue-mail.ts'
import { MORNING, storedOffice, stranger } from '#tests/support/builders.ts'
import {
  aMember,
  anOfficeWithStaff,
  outcomeOf,
  watchLog,
} from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const ANA = InviteUser.parse({
  firstName: 'Ana María',
  lastName: 'Muñoz López',
  email: 'ana@notaria.example',
  rfc: 'MULA800101AB1',
  curp: null,
  roles: ['CLERK'],
  capacity: null,
  capacityOf: null,
  capacityFrom: null,
  capacityTo: null,
})

async function outboxOf({ db }: TestSystem): Promise<OutboxRow[]> {
  return await db.selectFrom('outbox').selectAll().orderBy('created_at').orderBy('id').execute()
}

onEachSystem('the outbox of an office', (current) => {
  let staff: Awaited<ReturnType<typeof anOfficeWithStaff>>
  beforeEach(async () => {
    staff = await anOfficeWithStaff(current())
  })

  async function anAlertMail() {
    const { db } = current()
    const to = { name: 'Ana', address: Email.parse('ana@notaria.example') }
    const facts = { kind: 'alert', title: 'Un aviso', text: 'Pasó algo.' } as const
    return await db.transaction((trx) =>
      queueMail(trx, { officeId: staff.office.id, to, facts, at: MORNING }),
    )
  }

  test('invitation: the mail holds the same code, sealed until it expires', async () => {
    const system = current()
    const { link } = await inviteUser(system, staff.admin.person, ANA)
    const [row, ...more] = await outboxOf(system)
    expect(more).toEqual([])
    expect(row).toMatchObject({
      kind: 'account-invitation',
      to_name: 'Ana María Muñoz López',
      to_address: 'ana@notaria.example',
      text: null,
      html: null,
      about: `activation:${link.id}`,
      expires_at: link.expiresAt,
    })
    const mailId = MailId.parse(row?.id)
    const text = await readSecretMail(system, staff.admin.person, { mailId })
    const grouped = /activate#(\S+)/.exec(text)?.[1]
    expect(grouped?.replaceAll('-', '')).toBe(link.code)
  })

  test('a newer link takes the mail of the older one back, and a used one its own', async () => {
    const system = current()
    const { user } = await inviteUser(system, staff.admin.person, ANA)
    system.wait(minutes(1))
    const { code } = await renewInvitation(system, staff.admin.person, { userId: user.id })
    expect((await outboxOf(system)).map(({ state }) => state)).toEqual(['discarded', 'waiting'])
    await activateAccount(system, stranger(), {
      code,
      password: 'caballo correcto batería grapa',
    })
    for (const row of (await outboxOf(system)).filter(({ kind }) => kind !== 'alert'))
      expect(row).toMatchObject({ state: 'discarded', sealed_body: null, key_version: null })
  })

  test('changed address: alerts the former one and revokes its links', async () => {
    const system = current()
    const { clerk, admin } = staff
    await issueRecovery(system, admin.person, { userId: clerk.user.id })
    const data = {
      ...ANA,
      ...{ firstName: clerk.user.firstName, lastName: clerk.user.lastName },
      email: Email.parse('otra@notaria.example'),
    }
    await changeUser(system, admin.person, { userId: clerk.user.id, data })
    const rows = await outboxOf(system)
    expect(rows.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
      'account-recovery discarded',
      'alert waiting',
    ])
    expect(rows.map(({ to_address }) => to_address)).toEqual([clerk.user.email, clerk.user.email])
  })

  test('a recovery is brought by mail as well', async () => {
    const system = current()
    await issueRecovery(system, staff.admin.person, { userId: staff.clerk.user.id })
    expect(await outboxOf(system)).toMatchObject([
      { kind: 'account-recovery', to_address: staff.clerk.user.email, state: 'waiting' },
    ])
  })

  test('the list is for administrators of the office, and has no bodies', async () => {
    const system = current()
    const id = await anAlertMail()
    const page = await listOutbox(system, staff.admin.person, ListOutbox.parse({}))
    expect(page).toMatchObject({ counts: { waiting: 1 }, next: undefined, isSending: false })
    expect(page.mail).toMatchObject([{ id, state: 'waiting' }])
    expect(JSON.stringify(page)).not.toContain('Pasó algo')
    const other = await aMember(system, await storedOffice(system.db, { number: 13 }), ['ADMIN'])
    const none = await listOutbox(system, other.person, ListOutbox.parse({}))
    expect(none.mail).toEqual([])
    for (const [person, code] of [
      [staff.clerk.person, 'forbidden'],
      [stranger(), 'not-signed-in'],
    ] as const)
      expect(await outcomeOf(listOutbox(system, person, ListOutbox.parse({})))).toBe(code)
    for (const act of [readMail, readSecretMail, discardMail, retryMail]) {
      const mailId = id
      expect(await outcomeOf(act(system, staff.clerk.person, { mailId }))).toBe('forbidden')
      expect(await outcomeOf(act(system, other.person, { mailId }))).toBe('not-found')
    }
  })

  test('list: is paged', async () => {
    const system = current()
    for (let count = 0; count < 51; count++) await anAlertMail()
    const first = await listOutbox(system, staff.admin.person, ListOutbox.parse({}))
    expect(first.mail).toHaveLength(50)
    const behind = ListOutbox.parse({ behind: first.next })
    const second = await listOutbox(system, staff.admin.person, behind)
    expect(second.mail).toHaveLength(1)
    expect(second.next).toBeUndefined()
    expect(new Set([...first.mail, ...second.mail].map(({ id }) => id)).size).toBe(51)
  })

  test('a secret is read by who has just proved who they are, and the log tells it', async () => {
    const system = current()
    await inviteUser(system, staff.admin.person, ANA)
    const mailId = MailId.parse((await outboxOf(system))[0]?.id)
    expect(await readMail(system, staff.admin.person, { mailId })).toMatchObject({
      text: null,
      secret: 'sealed',
    })
    const recorded = await watchLog(system)
    await readSecretMail(system, staff.admin.person, { mailId })
    expect(await recorded()).toEqual(['mail.secret-read success'])
    system.wait(minutes(11))
    const late = readSecretMail(system, staff.admin.person, { mailId })
    expect(await outcomeOf(late)).toBe('step-up-needed')
    system.wait(hours(24))
    const fresh = { ...staff.admin.person, provenAt: system.clock.now() }
    expect(await outcomeOf(readSecretMail(system, fresh, { mailId }))).toBe('mail-state')
  })

  test('outbox: a discarded mail is not sent, and a retried one starts again', async () => {
    const system = current()
    const mailId = await anAlertMail()
    const recorded = await watchLog(system)
    await retryMail(system, staff.admin.person, { mailId })
    await discardMail(system, staff.admin.person, { mailId })
    expect(await recorded()).toEqual(['mail.retried success', 'mail.discarded success'])
    for (const act of [retryMail, discardMail])
      expect(await outcomeOf(act(system, staff.admin.person, { mailId }))).toBe('mail-state')
  })
})

onEachSystem('alerts by mail', (current) => {
  async function warn(
    userId: 'clerk' | 'office',
    severity: 'information' | 'warning',
    kind: 'new-device' | 'administrator-added' | 'mail-failed' = 'new-device',
  ) {
    const system = current()
    const staff = await anOfficeWithStaff(system)
    const warning = {
      officeId: staff.office.id,
      userId: userId === 'office' ? null : staff.clerk.user.id,
      kind,
      severity,
      subjectKind: 'user',
      subjectId: staff.clerk.user.id,
      facts: { device: 'Chrome en Windows', ip: '203.0.113.7', by: 'Óscar Méndez' },
      occasion: 'once',
      at: MORNING,
    } as const
    const raise = () => system.db.transaction((trx) => raiseAlert(trx, warning))
    return { staff, raise, raised: await raise() }
  }

  test('user alert: mails the affected user once', async () => {
    const { staff, raise } = await warn('clerk', 'warning')
    expect(await raise()).toBe(false)
    const rows = await outboxOf(current())
    expect(rows).toMatchObject([
      {
        kind: 'alert',
        to_address: staff.clerk.user.email,
        subject: 'Alerta de Rúbrica: Inicio de sesión en un equipo nuevo',
        expires_at: after(MORNING, hours(72)),
      },
    ])
    expect(rows[0]?.text).toContain('(Chrome en Windows, 203.0.113.7)')
  })

  test('user alert of a repeating kind: one mail an hour for all of them', async () => {
    const system = current()
    const { office, clerk, second } = await anOfficeWithStaff(system)
    const raiseAt = (time: Duration, changes: Partial<NewAlert> = {}) =>
      system.db.transaction((trx) =>
        raiseAlert(trx, {
          officeId: office.id,
          userId: clerk.user.id,
          kind: 'new-device',
          severity: 'warning',
          occasion: 'Chrome en Windows',
          at: after(MORNING, time),
          ...changes,
        }),
      )
    const mailed = async () => (await outboxOf(system)).length
    await raiseAt(minutes(0))
    await raiseAt(minutes(10), { occasion: 'Firefox en Linux' })
    await raiseAt(minutes(59))
    expect(await mailed()).toBe(1)
    // Another kind, another user, and each change of the account.
    await raiseAt(minutes(59), { kind: 'repeated-failures', occasion: 'failures' })
    expect(await mailed()).toBe(2)
    await raiseAt(minutes(59), { userId: second.user.id, occasion: 'of another' })
    expect(await mailed()).toBe(3)
    for (const occasion of ['one change', 'another change'])
      await raiseAt(minutes(59), { kind: 'factors-changed', occasion })
    expect(await mailed()).toBe(5)
    await raiseAt(minutes(60))
    expect(await mailed()).toBe(6)
    await raiseAt(minutes(100))
    expect(await mailed()).toBe(6)
  })

  test('office alert: mails every administrator and names the affected user', async () => {
    const { staff } = await warn('office', 'warning', 'administrator-added')
    const rows = await outboxOf(current())
    expect(rows.map(({ to_address }) => to_address).toSorted()).toEqual(
      [staff.admin.user.email, staff.second.user.email].toSorted(),
    )
    for (const { text } of rows) expect(text).toContain('Iván Cruz')
  })

  test.each([
    ['mere information', 'clerk', 'information', 'new-device'],
    ['a mail that failed', 'office', 'warning', 'mail-failed'],
  ] as const)('%s stays here', async (_, whose, severity, kind) => {
    await warn(whose, severity, kind)
    expect(await outboxOf(current())).toEqual([])
  })
})
