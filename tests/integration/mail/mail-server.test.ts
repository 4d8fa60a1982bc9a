import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMailers } from '#server/adapters/mailer.ts'
import { findMailServer, replaceMailServer } from '#server/db/mail/mail-servers.ts'
import { findMail } from '#server/db/mail/outbox.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { MailHost, type MailServer, placeOfMailPassword } from '#server/domain/mail/mail-server.ts'
import { anyNetwork, outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { minutes } from '#server/domain/time.ts'
import { readMailServer } from '#server/features/mail/read-mail-server.ts'
import { removeMailServer } from '#server/features/mail/remove-mail-server.ts'
import { sendDueMail } from '#server/features/mail/send-due-mail.ts'
import { sendTestMail } from '#server/features/mail/send-test-mail.ts'
import { type SetMailServer, setMailServer } from '#server/features/mail/set-mail-server.ts'
import { resealSecrets } from '#server/features/mfa/reseal-secrets.ts'
import { queueMail } from '#server/steps/mail/queue-mail.ts'
import { NAME, type Pair, selfSigned } from '#tests/support/authorities/tls.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { partOf } from '#tests/support/office/mail-parts.ts'
import { freePort } from '#tests/support/processes/server-process.ts'
import { type SmtpProcess, startSmtpServer } from '#tests/support/processes/smtp-server.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const credentials = { user: 'rubrica', password: 'contraseña @:/ñ' }
let pair: Pair
let smtp: SmtpProcess
beforeAll(async () => {
  pair = selfSigned()
  const { certificate, key } = pair
  smtp = await startSmtpServer({ tls: { kind: 'starttls', certificate, key }, credentials })
})
beforeEach(() => smtp.forget())
afterAll(async () => {
  await smtp.stop()
  pair.remove()
})

const given: SetMailServer = {
  host: MailHost.parse('correo.notaria.example'),
  port: 587,
  security: 'starttls',
  username: credentials.user,
  password: credentials.password,
  from: { name: 'Notaría 12', address: Email.parse('rubrica@notaria.example') },
  seenAt: null,
}

onEachSystem('the mail server of an office', (current) => {
  /** The system with mailers that reach this machine, where the test server is. */
  const local = (): TestSystem => ({
    ...current(),
    mailers: createMailers({ networks: anyNetwork, tls: { ca: pair.ca, servername: NAME } }),
  })

  const anAdministrator = async (office?: Office) => {
    const { db } = current()
    const own = office ?? (await storedOffice(db))
    return { office: own, person: asPerson(await storedUser(db, own, ['ADMIN'])) }
  }

  /** As the form would, but on this machine and at any port. */
  async function store(person: Person, port: number, changes: Partial<MailServer> = {}) {
    const { db, vault } = current()
    const { officeId, userId } = person
    const { security, username, from } = given
    const place = { officeId, host: 'localhost', port, username }
    const password = new TextEncoder().encode(credentials.password)
    await db.transaction((trx) =>
      replaceMailServer(trx, {
        ...{ ...place, security, from, changedAt: MORNING, changedBy: userId },
        sealed: vault.seal(password, placeOfMailPassword(place)),
        ...changes,
      }),
    )
  }

  const anAlert = (officeId: Office['id']) =>
    current().db.transaction((trx) =>
      queueMail(trx, {
        officeId,
        to: { name: 'Ximena Cañedo', address: Email.parse('ximena@notaria.example') },
        at: MORNING,
        facts: { kind: 'alert', title: 'Contraseña cambiada', text: 'Se cambió.' },
      }),
    )

  test('is kept sealed, and the log tells the server but no password', async () => {
    const system = current()
    const { office, person } = await anAdministrator()
    expect(await setMailServer(system, person, given)).toEqual({ kind: 'set' })
    const row = await findMailServer(system.db, office.id)
    expect(Buffer.from(row?.sealed?.bytes ?? []).toString()).not.toContain(credentials.password)
    const { server } = await readMailServer(system, person)
    expect(server).toMatchObject({ host: given.host, hasPassword: true })
    expect(JSON.stringify(server)).not.toContain('sealed')
    expect(await system.log()).toMatchObject([
      {
        action: 'mail-server.set',
        details: { host: given.host, port: 587, username: 'rubrica', password: 'changed' },
      },
    ])
    expect(JSON.stringify(await system.log())).not.toContain(credentials.password)
  })

  test('keeps its password for the same server and user, and for no other', async () => {
    const system = current()
    const { office, person } = await anAdministrator()
    await setMailServer(system, person, given)
    const sealed = (await findMailServer(system.db, office.id))?.sealed
    const again = { ...given, password: null, seenAt: system.clock.now() }
    system.wait(minutes(1))
    const from = { ...given.from, name: 'Notaría 12 de Coyoacán' }
    expect(await setMailServer(system, person, { ...again, from })).toEqual({ kind: 'set' })
    const kept = await findMailServer(system.db, office.id)
    expect(kept).toMatchObject({ from, sealed })
    const seenAt = system.clock.now()
    for (const elsewhere of [
      { host: MailHost.parse('correo.de-otro.example') },
      { port: 25 as const },
      { username: 'otra' },
    ]) {
      const moved = { ...again, ...elsewhere, seenAt }
      expect(await setMailServer(system, person, moved)).toEqual({ kind: 'password-needed' })
    }
    expect(await findMailServer(system.db, office.id)).toEqual(kept)
  })

  test('that was changed in another tab is not overwritten', async () => {
    const system = current()
    const { office, person } = await anAdministrator()
    await setMailServer(system, person, given)
    const second = { ...given, host: MailHost.parse('mail.notaria.example') }
    expect(await setMailServer(system, person, second)).toMatchObject({
      kind: 'stale',
      now: { host: given.host, changedAt: system.clock.now() },
    })
    expect(await findMailServer(system.db, office.id)).toMatchObject({ host: given.host })
  })

  test('is set and tried by administrators alone', async () => {
    const system = current()
    const { office, person } = await anAdministrator()
    await setMailServer(system, person, given)
    const notary = asPerson(await storedUser(system.db, office, ['NOTARY']))
    for (const attempt of [
      () => setMailServer(system, notary, given),
      () => removeMailServer(system, notary),
      () => sendTestMail(system, notary),
      () => readMailServer(system, notary),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' })
    expect(await findMailServer(system.db, office.id)).toBeDefined()
  })

  test('sends the mail of its office from the next run on, and of no other', async () => {
    const system = local()
    const { office, person } = await anAdministrator()
    const other = await storedOffice(system.db, { number: 77 })
    const [own, elsewhere] = [await anAlert(office.id), await anAlert(other.id)]
    expect(await sendDueMail(system)).toBe(0)
    await store(person, smtp.port)
    expect(await sendDueMail(system)).toBe(1)
    expect(await findMail(system.db, own)).toMatchObject({ state: 'sent' })
    expect(await findMail(system.db, elsewhere)).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(await smtp.received()).toMatchObject([
      { from: given.from.address, isEncrypted: true, user: 'rubrica' },
    ])
    await removeMailServer(system, person)
    const later = await anAlert(office.id)
    expect(await sendDueMail(system)).toBe(0)
    expect(await findMail(system.db, later)).toMatchObject({ state: 'waiting' })
  })

  test('that is away, or whose password does not open, holds up no other office and fails no mail', async () => {
    const system = local()
    const [first, second, third] = [
      await anAdministrator(),
      await anAdministrator(await storedOffice(system.db, { number: 77 })),
      await anAdministrator(await storedOffice(system.db, { number: 78 })),
    ]
    await store(first.person, await freePort())
    // Sealed for another port.
    const { sealed } = (await findMailServer(system.db, first.office.id)) ?? {}
    await store(second.person, smtp.port, { sealed: sealed ?? null })
    await store(third.person, smtp.port)
    const mails = await Promise.all([first, second, third].map(({ office }) => anAlert(office.id)))
    expect(await sendDueMail(system)).toBe(1)
    const states = await Promise.all(mails.map((id) => findMail(system.db, id)))
    expect(states.map((mail) => mail?.state)).toEqual(['waiting', 'waiting', 'sent'])
    expect(states[1]?.lastError).toContain('no se puede descifrar')
    // One mail learned it for all: the others keep their attempts.
    const others = await Promise.all([anAlert(second.office.id), anAlert(second.office.id)])
    await sendDueMail(system)
    const attempts = await Promise.all(others.map((id) => findMail(system.db, id)))
    expect(attempts.map((mail) => mail?.attempts).toSorted()).toEqual([0, 1])
  })

  test('a fault of ours is no answer of the server', async () => {
    const system = local()
    const { office, person } = await anAdministrator()
    await store(person, smtp.port)
    const mail = await anAlert(office.id)
    const through = () => {
      throw new Error('a bug')
    }
    await expect(sendDueMail({ ...system, mailers: { through } })).rejects.toThrow('a bug')
    expect(await findMail(system.db, mail)).toMatchObject({ state: 'waiting', attempts: 0 })
  })

  test('a fault of ours with the mail of one office holds up no other', async () => {
    const system = local()
    const [first, second] = [
      await anAdministrator(),
      await anAdministrator(await storedOffice(system.db, { number: 77 })),
    ]
    for (const { person } of [first, second]) await store(person, smtp.port)
    const mails = [await anAlert(first.office.id), await anAlert(second.office.id)]
    let isFirst = true
    const through: typeof system.mailers.through = (server) => {
      const mailer = system.mailers.through(server)
      if (!isFirst) return mailer
      isFirst = false
      return { ...mailer, send: () => Promise.reject(new Error('a bug')) }
    }
    await expect(sendDueMail({ ...system, mailers: { through } })).rejects.toThrow('some mail')
    const states = await Promise.all(mails.map((id) => findMail(system.db, id)))
    expect(states.map((mail) => mail?.state).toSorted()).toEqual(['sent', 'waiting'])
  })

  test('gives way to the server of the operator', async () => {
    const system = local()
    const { office, person } = await anAdministrator()
    await store(person, await freePort())
    await anAlert(office.id)
    const sent: string[] = []
    const mailer = {
      send: async ({ to }: { to: { address: string } }) => {
        sent.push(to.address)
        return { kind: 'accepted' } as const
      },
      reach: async () => ({ kind: 'reached' }) as const,
    }
    expect(await sendDueMail({ ...system, mailer })).toBe(1)
    expect(sent).toEqual(['ximena@notaria.example'])
    expect(await readMailServer({ ...system, mailer }, person)).toMatchObject({
      isOfOperator: true,
    })
    expect(await sendTestMail({ ...system, mailer }, person)).toMatchObject({
      delivery: { kind: 'accepted' },
    })
    expect(sent).toHaveLength(2)
  })

  test('is tried with a mail to the administrator, and what it answers is told and in the log', async () => {
    const system = local()
    const { office, person } = await anAdministrator()
    expect(await sendTestMail(system, person)).toEqual({ kind: 'no-server' })
    await store(person, smtp.port)
    const { changedBy } = (await findMailServer(system.db, office.id)) ?? {}
    expect(changedBy).toBe(person.userId)
    expect(await sendTestMail(system, person)).toMatchObject({
      kind: 'answered',
      delivery: { kind: 'accepted' },
    })
    const [mail] = await smtp.received()
    expect(mail?.to).toEqual([expect.stringMatching(/^persona-.*@notaria\.example$/)])
    expect(partOf(mail?.raw ?? '', 'text/plain')).toContain('El servidor de correo funciona')
    // Another user: the password that is there was not given for it.
    await store(person, smtp.port, { username: null, sealed: null })
    expect(await sendTestMail(system, person)).toMatchObject({
      delivery: { answer: expect.stringMatching(/^530/) },
    })
    expect((await system.log()).map(({ action, result }) => `${action} ${result}`)).toEqual([
      'mail-server.tested success',
      'mail-server.tested refused',
    ])
  })

  test('is tried ten times in an hour', async () => {
    const system = local()
    const { person } = await anAdministrator()
    await store(person, await freePort())
    for (let count = 0; count < 10; count++) await sendTestMail(system, person)
    await expect(sendTestMail(system, person)).rejects.toMatchObject({ code: 'too-many-attempts' })
  })

  test('in a network where no service of an office may be is not connected to', async () => {
    const networks = outgoingNetworks([])
    // As of a name that leads here from elsewhere.
    const ofName = (address: string) => networks(address, 'correo.notaria.example')
    const system = { ...current(), mailers: createMailers({ networks: ofName }) }
    const { person } = await anAdministrator()
    await store(person, smtp.port)
    expect(await sendTestMail(system, person)).toMatchObject({
      delivery: { kind: 'unreachable', answer: expect.stringContaining('no service may be in') },
    })
    expect(await smtp.received()).toEqual([])
  })

  test('its password is sealed anew with a new key', async () => {
    const system = local()
    const { office, person } = await anAdministrator()
    await store(person, smtp.port)
    system.sealingKeys.add()
    expect(await resealSecrets(system)).toEqual({ resealed: 1, unreadable: [] })
    system.sealingKeys.lose(1)
    await anAlert(office.id)
    expect(await sendDueMail(system)).toBe(1)
  })
})

test.each([
  'localhost',
  'correo.localhost',
  '127.0.0.1',
  '[::1]',
  '10.1.2.3',
  'correo',
  'correo.notaria.mx:25',
  'usuario@correo.notaria.mx',
  '-a.notaria.mx',
  'a..mx',
])('the host %s is no mail server of an office', (host) => {
  expect(MailHost.safeParse(host).success).toBe(false)
})

test('a host is kept in lower case', () => {
  expect(MailHost.parse(' Correo.Notaria-12.MX ')).toBe('correo.notaria-12.mx')
})
