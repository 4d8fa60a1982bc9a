import { expect, test } from 'vitest'
import { findMail } from '#server/db/mail/outbox.ts'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import { Email } from '#server/domain/identity/email.ts'
import { after, days, minutes } from '#server/domain/time.ts'
import { queueMail, queueSealedMail } from '#server/steps/mail/queue-mail.ts'
import { MORNING, storedOffice } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const to = { name: 'Ximena Cañedo', address: Email.parse('ximena@notaria.example') }
const alert = { kind: 'alert', title: 'Aviso', text: 'Algo pasó.' } as const
const link = { secretLink: 'https://r.example/sign#7K3F9', linkExpiresAt: after(MORNING, days(2)) }
const signing = { title: 'Compraventa', documents: ['Poder'] }

onEachSystem('mail that is queued', (current) => {
  test('is discarded by its subject, and others are not', async () => {
    const { db } = current()
    const { id: officeId } = await storedOffice(db)
    const mail = { officeId, to, facts: alert, at: MORNING }
    const ids = await db.transaction(async (trx) => {
      const queued = [
        await queueMail(trx, { ...mail, about: 'signer:1' }),
        await queueMail(trx, { ...mail, about: 'signer:2' }),
        await queueMail(trx, mail),
      ]
      await discardMailAbout(trx, ['signer:1'], 'link-over', MORNING)
      return queued
    })
    const states = await Promise.all(ids.map(async (id) => (await findMail(db, id))?.state))
    expect(states).toEqual(['discarded', 'waiting', 'waiting'])
  })

  test('a secret is mailed until it is over, or until its mail is', async () => {
    const { db, vault } = current()
    const { id: officeId } = await storedOffice(db)
    const code = { ...signing, code: 'ABC-123', codeExpiresAt: after(MORNING, minutes(10)) }
    const request = { ...signing, ...link, by: 'Ana', message: null, deadline: null }
    const expiryOf = async (
      mail: Pick<Parameters<typeof queueSealedMail>[2], 'facts' | 'expiresAt'>,
    ) => {
      const id = await db.transaction((trx) =>
        queueSealedMail(trx, vault, { officeId, to, at: MORNING, ...mail }),
      )
      return (await findMail(db, id))?.expiresAt
    }
    const rejection = { kind: 'rejection-code', ...code } as const
    const invitation = { kind: 'signing-invitation', ...request } as const
    expect(await expiryOf({ facts: rejection })).toBe(code.codeExpiresAt)
    expect(await expiryOf({ facts: invitation })).toBe(link.linkExpiresAt)
    const [sooner, later] = [after(MORNING, days(1)), after(MORNING, days(3))]
    expect(await expiryOf({ facts: invitation, expiresAt: sooner })).toBe(sooner)
    expect(await expiryOf({ facts: invitation, expiresAt: later })).toBe(link.linkExpiresAt)
  })
})
