import { expect, test } from 'vitest'
import { replaceAlertMail } from '#server/db/alerts/alert-preferences.ts'
import type { AlertKind } from '#server/domain/alerts/alert.ts'
import type { UserId } from '#server/domain/ids.ts'
import { after, days } from '#server/domain/time.ts'
import { mailAlert } from '#server/steps/alerts/mail-alert.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

type Warning = Parameters<typeof mailAlert>[1]

/** An office with two active administrators, a suspended one and a clerk, beside another office. */
async function anOffice({ db }: TestSystem) {
  const office = await storedOffice(db)
  const named = (roles: ('ADMIN' | 'CLERK')[], firstName: string, state = 'active') =>
    storedUser(db, office, roles, { firstName, lastName: 'Méndez', state })
  const admin = await named(['ADMIN'], 'Óscar')
  await named(['ADMIN', 'CLERK'], 'Inés')
  const suspended = await named(['ADMIN'], 'Raúl', 'suspended')
  const clerk = await named(['CLERK'], 'Iván')
  await storedUser(db, await storedOffice(db, { number: 99 }), ['ADMIN'], { firstName: 'Ajena' })
  return { office, admin, suspended, clerk }
}

/** The mails of one alert, with the names of those who get them. */
async function mailsOf(
  { db, clock }: TestSystem,
  warning: Pick<Warning, 'officeId'> & Partial<Warning>,
) {
  await db.transaction(async (trx) => {
    await trx.deleteFrom('outbox').execute()
    const common = { userId: null, severity: 'warning', at: clock.now() } as const
    await mailAlert(trx, { ...common, kind: 'secret-unreadable', ...warning })
  })
  const rows = await db
    .selectFrom('outbox')
    .select(['to_name', 'to_address', 'text', 'expires_at'])
    .orderBy('to_name')
    .execute()
  return { to: rows.map(({ to_name }) => to_name), rows, text: rows[0]?.text ?? '' }
}

onEachSystem('mail of an alert', (current) => {
  test('goes to each active administrator of the office if it is addressed to the office', async () => {
    const { office } = await anOffice(current())
    const { to, rows } = await mailsOf(current(), { officeId: office.id })
    expect(to).toEqual(['Inés Méndez', 'Óscar Méndez'])
    const over = after(current().clock.now(), days(3))
    expect(rows.map(({ expires_at }) => Number(expires_at))).toEqual([over, over])
  })

  test('goes to its user alone, while their account is active', async () => {
    const { office, clerk, suspended } = await anOffice(current())
    const to = async (userId: UserId) =>
      (await mailsOf(current(), { officeId: office.id, kind: 'new-device', userId })).to
    expect(await to(clerk.id)).toEqual(['Iván Méndez'])
    expect(await to(suspended.id)).toEqual([])
  })

  test.each<{ kind: AlertKind; severity: Warning['severity']; count: number }>([
    { kind: 'secret-unreadable', severity: 'information', count: 0 },
    { kind: 'secret-unreadable', severity: 'danger', count: 2 },
    { kind: 'mail-failed', severity: 'warning', count: 0 },
    { kind: 'recovery-issued', severity: 'danger', count: 0 },
    { kind: 'signing-rejected', severity: 'warning', count: 0 },
    { kind: 'session-late', severity: 'warning', count: 0 },
  ])('$kind, $severity: $count mails', async ({ kind, severity, count }) => {
    const { office } = await anOffice(current())
    const { to } = await mailsOf(current(), { officeId: office.id, kind, severity })
    expect(to).toHaveLength(count)
  })

  test.each(['daily', 'none'] as const)(
    'goes at once to those who did not choose %s; about their own account to each',
    async (choice) => {
      const { office, admin, clerk } = await anOffice(current())
      await current().db.transaction(async (trx) => {
        for (const { id } of [admin, clerk]) await replaceAlertMail(trx, id, choice, MORNING)
      })
      const to = async (warning: Partial<Warning>) =>
        (await mailsOf(current(), { officeId: office.id, ...warning })).to
      expect(await to({})).toEqual(['Inés Méndez'])
      expect(await to({ kind: 'new-device' })).toEqual(['Inés Méndez'])
      expect(await to({ kind: 'new-device', userId: clerk.id })).toEqual(['Iván Méndez'])
      expect(await to({ kind: 'backup-codes-low', userId: clerk.id })).toEqual([])
    },
  )

  test('names the owner of the account or key to the office, and says "you" to the owner', async () => {
    const { office, admin, clerk } = await anOffice(current())
    const { credential } = await registeredKey(current(), await signedIn(current(), clerk))
    const officeId = office.id
    const ofAccount = { subjectKind: 'user', subjectId: clerk.id } as const
    const ofKey = {
      kind: 'key-anomaly',
      subjectKind: 'second-factor',
      subjectId: credential.id,
    } as const
    const text = async (warning: Partial<Warning>) =>
      (await mailsOf(current(), { officeId, ...warning })).text
    expect(await text(ofAccount)).toContain('la cuenta de Iván Méndez')
    expect(await text(ofKey)).toContain('la cuenta de Iván Méndez')
    expect(await text({})).toContain('la cuenta de una persona de la notaría')
    // An id of another kind names no owner, even if a user or key has it.
    const session = { ...ofAccount, subjectKind: 'session' } as const
    expect(await text(session)).toContain('la cuenta de una persona de la notaría')
    const wrong = { ...ofKey, subjectKind: 'document' } as const
    expect(await text(wrong)).toContain('la cuenta de una persona de la notaría')
    expect(await text({ ...ofKey, userId: clerk.id })).toContain('su cuenta')
    const recovered = { ...ofAccount, kind: 'administrator-recovered', userId: admin.id } as const
    expect(await text(recovered)).toContain('la contraseña de Iván Méndez')
    const role = { ...ofAccount, kind: 'administrator-added', userId: admin.id } as const
    expect(await text(role)).not.toContain('Iván')
  })
})
