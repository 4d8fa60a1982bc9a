import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { countMail, findMail, listMail } from '#server/db/mail/outbox.ts'
import {
  discardExpiredMail,
  discardMail,
  discardMailAbout,
  listExpiredMail,
} from '#server/db/mail/outbox-discarding.ts'
import { claimDueMail, finishMail, retryMail } from '#server/db/mail/outbox-sending.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { placeOfMailBody } from '#server/domain/mail/mail.ts'
import { after, days, hours, type Instant, minutes } from '#server/domain/time.ts'
import { queueMail, queueSealedMail } from '#server/steps/mail/queue-mail.ts'
import { MORNING, storedOffice } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const to = { name: 'Ximena Cañedo', address: Email.parse('ximena@notaria.example') }

async function anAlert(db: Database, { id: officeId }: Office, at: Instant = MORNING) {
  const facts = { kind: 'alert', title: 'Contraseña cambiada', text: 'Se cambió.' } as const
  return await db.transaction((trx) => queueMail(trx, { officeId, to, at, facts }))
}

async function anInvitation(
  { db, vault }: Pick<TestSystem, 'db' | 'vault'>,
  { id: officeId }: Office,
) {
  const about = `activation:${randomUUID()}`
  const id = await db.transaction((trx) =>
    queueSealedMail(trx, vault, {
      officeId,
      to,
      at: MORNING,
      about,
      facts: {
        kind: 'account-invitation',
        by: 'Óscar Méndez',
        code: ActivationCode.parse('7K3F9QZA4M0TXW2B7K3F9QZA4M'),
        secretLink: 'https://r.example/activate#7K3F9-QZA4M-0TXW2-B7K3F-9QZA4M',
        linkExpiresAt: after(MORNING, hours(24)),
      },
    }),
  )
  return { id, about }
}

const claim = (db: Database, at: Instant) => db.transaction((trx) => claimDueMail(trx, at))

onEachDatabase('the outbox', (current) => {
  test('a mail waits with the words of its kind and of its office', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const id = await anAlert(db, office)
    const mail = await findMail(db, id)
    expect(mail).toMatchObject({
      kind: 'alert',
      to,
      subject: 'Alerta de Rúbrica: Contraseña cambiada',
      state: 'waiting',
      attempts: 0,
      expiresAt: after(MORNING, days(30)),
    })
    expect(mail?.body).toMatchObject({ kind: 'clear', text: expect.stringContaining(office.name) })
    expect(await countMail(db, office.id)).toEqual({ waiting: 1 })
  })

  test('outbox: concurrent workers claim different mails', async () => {
    const { db, again } = current()
    const office = await storedOffice(db)
    const ids: string[] = []
    for (let count = 0; count < 6; count++) ids.push(await anAlert(db, office))
    const others = [db, again(), again()]
    const claimed = await Promise.all(
      [...others, ...others, ...others].map((each) => claim(each, MORNING)),
    )
    const given = claimed.flatMap((mail) => (mail ? [mail.id] : []))
    expect(given.toSorted()).toEqual(ids.toSorted())
  })

  test('expired lease: the mail goes to the next worker, and the late one changes nothing', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const id = await anAlert(db, office)
    const first = await claim(db, MORNING)
    expect(await claim(db, after(MORNING, minutes(4)))).toBeUndefined()
    const later = after(MORNING, minutes(5))
    const second = await claim(db, later)
    expect(second).toMatchObject({ id, attempts: 2 })
    const end = { state: 'failed', error: 'late' } as const
    expect(await db.transaction((trx) => finishMail(trx, first!, end, later))).toBe(false)
    expect(await db.transaction((trx) => finishMail(trx, second!, { state: 'sent' }, later))).toBe(
      true,
    )
    expect(await findMail(db, id)).toMatchObject({ state: 'sent', lastError: null })
  })

  test('an attempt that failed waits for its next time', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const id = await anAlert(db, office)
    const mail = await claim(db, MORNING)
    const nextAttemptAt = after(MORNING, minutes(1))
    await db.transaction((trx) =>
      finishMail(trx, mail!, { state: 'waiting', nextAttemptAt, error: '451 later' }, MORNING),
    )
    expect(await claim(db, MORNING)).toBeUndefined()
    expect(await claim(db, nextAttemptAt)).toMatchObject({
      id,
      attempts: 2,
      lastError: '451 later',
    })
  })

  test('outbox: a mail that is being sent is neither discarded nor retried', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const id = await anAlert(db, office)
    const mail = await claim(db, MORNING)
    expect(await db.transaction((trx) => discardMail(trx, id, MORNING))).toBe(false)
    expect(await db.transaction((trx) => retryMail(trx, id, MORNING))).toBe(false)
    const end = { state: 'failed', error: '550 no such user' } as const
    await db.transaction((trx) => finishMail(trx, mail!, end, MORNING))
    expect(await claim(db, after(MORNING, hours(1)))).toBeUndefined()
    expect(await db.transaction((trx) => retryMail(trx, id, MORNING))).toBe(true)
    expect(await claim(db, MORNING)).toMatchObject({ id, attempts: 1 })
  })

  test('outbox: a mail in transit is sent, not discarded', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const about = `signer:${randomUUID()}`
    const facts = { kind: 'alert', title: 'Su turno', text: 'Puede firmar.' } as const
    const id = await db.transaction((trx) =>
      queueMail(trx, { officeId: office.id, to, at: MORNING, facts, about }),
    )
    const mail = await claim(db, MORNING)
    await db.transaction((trx) => discardMailAbout(trx, [about], 'already-signed', MORNING))
    await db.transaction((trx) => finishMail(trx, mail!, { state: 'sent' }, MORNING))
    expect(await findMail(db, id)).toMatchObject({ state: 'sent', discardedBecause: null })
  })

  test('outbox: a discarded mail is never claimed', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const id = await anAlert(db, office)
    expect(await db.transaction((trx) => discardMail(trx, id, MORNING))).toBe(true)
    expect(await db.transaction((trx) => discardMail(trx, id, MORNING))).toBe(false)
    expect(await claim(db, MORNING)).toBeUndefined()
  })

  test('the newest come first, page by page, and none of another office', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    await anAlert(db, await storedOffice(db, { number: 13 }))
    const ids: string[] = []
    for (let count = 0; count < 3; count++)
      ids.unshift(await anAlert(db, office, after(MORNING, minutes(count))))
    const filter = { officeId: office.id, state: 'waiting' as const, limit: 2 }
    const first = await listMail(db, filter)
    const behind = { at: first[1]!.createdAt, id: first[1]!.id }
    const second = await listMail(db, { ...filter, behind })
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids)
    expect(await listMail(db, { ...filter, state: 'sent' })).toEqual([])
    const all = { officeId: office.id, limit: 10 }
    expect((await listMail(db, all)).map(({ id }) => id)).toEqual(ids)
  })

  test('counts: stop at 1,000 of a state', { timeout: 60_000 }, async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const facts = { kind: 'alert', title: 'Contraseña cambiada', text: 'Se cambió.' } as const
    const mail = { officeId: office.id, to, at: MORNING, facts }
    await db.transaction(async (trx) => {
      for (let count = 0; count < 1_001; count++) await queueMail(trx, mail)
    })
    expect(await countMail(db, office.id)).toEqual({ waiting: 1_000 })
  })
})

onEachSystem('mail with a secret', (current) => {
  test('lies sealed, and opens at its own place alone', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const { id } = await anInvitation(system, office)
    const row = await system.db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([row.text, row.html]).toEqual([null, null])
    expect(JSON.stringify(row)).not.toContain('7K3F9')
    expect(Buffer.from(row.sealed_body ?? []).includes('7K3F9')).toBe(false)
    const mail = await findMail(system.db, id)
    if (mail?.body.kind !== 'sealed') throw new Error('not sealed')
    const plain = new TextDecoder().decode(system.vault.open(mail.body, placeOfMailBody(id)))
    expect(JSON.parse(plain).text).toContain('https://r.example/activate#7K3F9-QZA4M')
    expect(mail.expiresAt).toBe(after(MORNING, hours(24)))
  })

  test('forgets it once it is sent', async () => {
    const system = current()
    const { id } = await anInvitation(system, await storedOffice(system.db))
    const mail = await claim(system.db, MORNING)
    await system.db.transaction((trx) => finishMail(trx, mail!, { state: 'sent' }, MORNING))
    expect(await findMail(system.db, id)).toMatchObject({ body: { kind: 'forgotten' } })
  })

  test('forgets it once the link is of no more use, also when sending had failed', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const first = await anInvitation(system, office)
    const second = await anInvitation(system, office)
    const mail = await claim(system.db, MORNING)
    const end = { state: 'failed', error: '550' } as const
    await system.db.transaction((trx) => finishMail(trx, mail!, end, MORNING))
    for (const { about } of [first, second])
      await system.db.transaction((trx) => discardMailAbout(trx, [about], 'link-over', MORNING))
    for (const { id } of [first, second])
      expect(await findMail(system.db, id)).toMatchObject({
        state: 'discarded',
        body: { kind: 'forgotten' },
      })
  })

  test('forgets it once it has expired, waiting or failed', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const made = [await anInvitation(system, office), await anInvitation(system, office)]
    const mail = await claim(system.db, MORNING)
    const end = { state: 'failed', error: '550' } as const
    await system.db.transaction((trx) => finishMail(trx, mail!, end, MORNING))
    const late = after(MORNING, hours(24))
    expect(await listExpiredMail(system.db, { now: MORNING, limit: 10 })).toEqual([])
    const expired = await listExpiredMail(system.db, { now: late, limit: 10 })
    expect(new Set(expired)).toEqual(new Set(made.map(({ id }) => id)))
    expect(await system.db.transaction((trx) => discardExpiredMail(trx, expired, late))).toBe(1)
    expect(await listExpiredMail(system.db, { now: late, limit: 10 })).toEqual([])
    for (const { id } of made)
      expect(await findMail(system.db, id)).toMatchObject({ body: { kind: 'forgotten' } })
    expect(await system.db.transaction((trx) => retryMail(trx, made[0]!.id, late))).toBe(false)
  })
})
