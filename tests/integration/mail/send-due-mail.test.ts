import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMailer, type SmtpServer } from '#server/adapters/mailer.ts'
import { countMail, findMail } from '#server/db/mail/outbox.ts'
import { claimDueMail } from '#server/db/mail/outbox-sending.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { MailAttachment } from '#server/domain/mail/mail.ts'
import { MAIL_WAITS } from '#server/domain/mail/next-attempt.ts'
import { after, hours, minutes } from '#server/domain/time.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { sendDueMail } from '#server/features/mail/send-due-mail.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { queueMail, queueSealedMail } from '#server/steps/mail/queue-mail.ts'
import { NAME, type Pair, selfSigned } from '#tests/support/authorities/tls.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { attachedTo, partOf } from '#tests/support/office/mail-parts.ts'
import { freePort } from '#tests/support/processes/server-process.ts'
import { type SmtpProcess, startSmtpServer } from '#tests/support/processes/smtp-server.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const from = { name: 'Notaría 12, de prueba', address: 'rubrica@notaria.example' }
let smtp: SmtpProcess
beforeAll(async () => {
  smtp = await startSmtpServer()
})
beforeEach(() => {
  smtp.forget()
})
afterAll(() => smtp.stop())

const mailerTo = (port: number, changes: Partial<SmtpServer> = {}) =>
  createMailer({ host: '127.0.0.1', port, security: 'none', from, ...changes })

const withMailer = (system: TestSystem, mailer: Mailer | null) => ({ ...system, mailer })

async function anAlert({ db }: TestSystem, { id: officeId }: Office, local = 'ximena') {
  const address = Email.parse(`${local}@notaria.example`)
  return await db.transaction((trx) =>
    queueMail(trx, {
      officeId,
      to: { name: 'Ximena Cañedo', address },
      at: MORNING,
      facts: { kind: 'alert', title: 'Contraseña cambiada', text: 'Se cambió la contraseña.' },
    }),
  )
}

async function aCompletion(
  { db }: TestSystem,
  { id: officeId }: Office,
  address: Email,
  attachments: readonly MailAttachment[],
) {
  return await db.transaction((trx) =>
    queueMail(trx, {
      officeId,
      to: { name: 'Ximena', address },
      at: MORNING,
      attachments,
      facts: {
        kind: 'signing-completed',
        copy: 'attached',
        title: 'Escritura',
        documents: attachments.map(() => 'Escritura'),
        verdicts: [],
      },
    }),
  )
}

onEachSystem('sending mail', (current) => {
  test('a mail is handed over once, as text and HTML, and the log tells it', async () => {
    const system = withMailer(current(), mailerTo(smtp.port))
    const office = await storedOffice(system.db)
    const id = await anAlert(current(), office)
    expect(await sendDueMail(system)).toBe(1)
    expect(await sendDueMail(system)).toBe(0)
    expect(await smtp.received()).toHaveLength(1)
    const [{ raw, to, from: sender } = { raw: '', to: [], from: '' }] = await smtp.received()
    expect([sender, to]).toEqual([from.address, ['ximena@notaria.example']])
    expect(raw).toContain(`Message-ID: <${id}@notaria.example>`)
    expect(raw).toContain('Auto-Submitted: auto-generated')
    expect(raw).toContain('Date: Fri, 20 Nov 2026 15:00:00 +0000')
    expect(partOf(raw, 'text/plain')).toContain('Se cambió la contraseña.')
    expect(partOf(raw, 'text/html')).toContain(office.name)
    expect(await findMail(system.db, id)).toMatchObject({ state: 'sent', attempts: 1 })
    const [event] = (await system.log()).slice(-1)
    expect(event).toMatchObject({
      action: 'mail.sent',
      actor: { kind: 'system', name: 'send-mail' },
      officeId: office.id,
      subject: { kind: 'mail', id },
      details: { kind: 'alert', attempts: 1 },
    })
  })

  test('without a mail server: mail waits, and expired mail is withdrawn', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const id = await anAlert(system, office)
    expect(await sendDueMail(system)).toBe(0)
    expect(await findMail(system.db, id)).toMatchObject({ state: 'waiting', attempts: 0 })
    system.wait(hours(24 * 30))
    await sendDueMail(system)
    expect(await findMail(system.db, id)).toMatchObject({ state: 'discarded' })
  })

  test('nothing is due or expired: no transaction is opened', async () => {
    const system = withMailer(current(), mailerTo(smtp.port))
    const office = await storedOffice(system.db)
    await anAlert(system, office)
    expect(await sendDueMail(system)).toBe(1)
    const transaction = () => Promise.reject(new Error('a transaction was opened'))
    expect(await sendDueMail({ ...system, db: { ...system.db, transaction } })).toBe(0)
  })

  test('expired mail: 200 are withdrawn in a run, the rest in the next ones', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    for (let count = 0; count < 250; count++) await anAlert(system, office)
    system.wait(hours(24 * 30))
    await sendDueMail(system)
    expect(await countMail(system.db, office.id)).toEqual({ waiting: 50, discarded: 200 })
    await sendDueMail(system)
    expect(await countMail(system.db, office.id)).toEqual({ discarded: 250 })
  })

  test('a secret link goes out once and is forgotten', async () => {
    const system = withMailer(current(), mailerTo(smtp.port))
    const office = await storedOffice(system.db)
    const address = Email.parse('ana@notaria.example')
    const id = await system.db.transaction((trx) =>
      queueSealedMail(trx, system.vault, {
        officeId: office.id,
        to: { name: 'Ana', address },
        at: MORNING,
        facts: {
          kind: 'account-invitation',
          by: 'Óscar Méndez',
          code: ActivationCode.parse('7K3F9QZA4M0TXW2B7K3F9QZA4M'),
          secretLink: 'https://r.example/activate#7K3F9-QZA4M-0TXW2-B7K3F-9QZA4M',
          linkExpiresAt: after(MORNING, hours(24)),
        },
      }),
    )
    await sendDueMail(system)
    expect(partOf((await smtp.received())[0]?.raw ?? '', 'text/plain')).toContain(
      'https://r.example/activate#7K3F9-QZA4M-0TXW2-B7K3F-9QZA4M',
    )
    expect(await findMail(system.db, id)).toMatchObject({
      state: 'sent',
      body: { kind: 'forgotten' },
    })
    expect(JSON.stringify(await system.log())).not.toContain('7K3F9')
  })

  test.each(['busy', 'full', 'drop'])(
    'temporary refusal (%s): retried at growing intervals, then given up',
    async (local) => {
      const system = withMailer(current(), mailerTo(smtp.port))
      const office = await storedOffice(system.db)
      const id = await anAlert(current(), office, local)
      for (const [index, wait] of MAIL_WAITS.entries()) {
        await sendDueMail(system)
        expect(await findMail(system.db, id)).toMatchObject({
          state: 'waiting',
          attempts: index + 1,
          nextAttemptAt: after(system.clock.now(), wait),
          lastError: expect.stringMatching(/try again later|no room|closed|ECONNRESET/),
        })
        await sendDueMail(system)
        expect(await findMail(system.db, id)).toMatchObject({ attempts: index + 1 })
        system.wait(wait)
      }
      await sendDueMail(system)
      expect(await findMail(system.db, id)).toMatchObject({ state: 'failed', attempts: 6 })
      expect(await smtp.received()).toEqual([])
      const alerts = await listAlertRows(system)
      expect(alerts).toMatchObject([{ kind: 'mail-failed', user_id: null, subject_id: id }])
      expect((await system.log()).at(-1)).toMatchObject({ action: 'mail.failed' })
    },
  )

  test.each(['unknown', 'spam'])(
    'permanent refusal (%s): not retried, and delays no other mail',
    async (local) => {
      const system = withMailer(current(), mailerTo(smtp.port))
      const office = await storedOffice(system.db)
      const refused = await anAlert(current(), office, local)
      const sent = await anAlert(current(), office)
      expect(await sendDueMail(system)).toBe(1)
      expect(await findMail(system.db, refused)).toMatchObject({ state: 'failed', attempts: 1 })
      expect(await findMail(system.db, sent)).toMatchObject({ state: 'sent' })
      expect(await listAlertRows(system)).toMatchObject([{ kind: 'mail-failed' }])
    },
  )

  test('mail: a refused sender keeps the mail, since the settings are wrong', async () => {
    const sender = { name: '', address: 'forbidden@notaria.example' }
    const system = withMailer(current(), mailerTo(smtp.port, { from: sender }))
    const id = await anAlert(current(), await storedOffice(system.db))
    await sendDueMail(system)
    expect(await findMail(system.db, id)).toMatchObject({
      state: 'waiting',
      lastError: expect.stringContaining('no such sender'),
    })
  })

  test('a server that is away costs one mail an attempt, not all of them', async () => {
    const system = withMailer(current(), mailerTo(await freePort()))
    const office = await storedOffice(system.db)
    const ids = [await anAlert(current(), office), await anAlert(current(), office)]
    await sendDueMail(system)
    const mails = await Promise.all(ids.map((id) => findMail(system.db, id)))
    expect(mails.map((mail) => mail?.attempts).toSorted()).toEqual([0, 1])
    system.wait(minutes(1))
    expect(await sendDueMail(withMailer(system, mailerTo(smtp.port)))).toBe(2)
  })

  test('documents go along, byte for byte, each under a name of its own', async () => {
    const system = withMailer(current(), mailerTo(smtp.port))
    const office = await storedOffice(system.db)
    const user = await storedUser(system.db, office, ['CLERK'])
    const contents = ['Escritura número 4321. ', 'Anexo número 7. '].map((text) => {
      const content = Buffer.alloc(100_000, text)
      content.write('%PDF-1.7\n')
      return content
    })
    const attachments: MailAttachment[] = []
    for (const content of contents) {
      const { id: documentId } = await uploadDocument(system, asPerson(user), {
        title: 'Escritura' as never,
        kind: 'act',
        fileName: 'escritura pública.pdf',
        content: [content],
      })
      attachments.push({ documentId, version: 1 })
    }
    const id = await aCompletion(system, office, user.email, attachments)
    await sendDueMail(system)
    expect(await findMail(system.db, id)).toMatchObject({ state: 'sent', attachments })
    const raw = (await smtp.received())[0]?.raw ?? ''
    const attached = attachedTo(raw)
    expect(attached.map(({ file }, index) => contents[index]?.equals(file))).toEqual([true, true])
    expect(attached[0]?.head).not.toContain('(2)')
    expect(decodeURIComponent(attached[1]?.head ?? '')).toContain('(2).pdf')
  })

  test('more than a mail carries fails, told', async () => {
    const system = withMailer(current(), mailerTo(smtp.port))
    const office = await storedOffice(system.db)
    const user = await storedUser(system.db, office, ['CLERK'])
    const content = Buffer.alloc(6 * 1024 * 1024, 'Escritura. ')
    content.write('%PDF-1.7\n')
    const attachments: MailAttachment[] = []
    for (const title of ['Una', 'Otra']) {
      const asked = { title: title as never, kind: 'act' as const, fileName: `${title}.pdf` }
      const document = await uploadDocument(system, asPerson(user), {
        ...asked,
        content: [content],
      })
      attachments.push({ documentId: document.id, version: 1 })
    }
    const id = await aCompletion(system, office, user.email, attachments)
    await sendDueMail(system)
    expect(await findMail(system.db, id)).toMatchObject({
      state: 'failed',
      lastError: 'Los documentos adjuntos son demasiado grandes para un correo.',
    })
  })

  test('a lost lease: sent twice under one Message-ID, never lost', async () => {
    const system = withMailer(current(), mailerTo(smtp.port))
    const id = await anAlert(current(), await storedOffice(system.db))
    const mailer = mailerTo(smtp.port)
    const crashing = {
      ...system,
      mailer: {
        async send(mail: Parameters<Mailer['send']>[0]) {
          await mailer.send(mail)
          throw new Error('the process ends here')
        },
        reach: mailer.reach,
      },
    }
    await expect(sendDueMail(crashing)).rejects.toMatchObject({
      errors: [expect.objectContaining({ message: 'the process ends here' })],
    })
    expect(await sendDueMail(system)).toBe(0)
    system.wait(minutes(5))
    expect(await sendDueMail(system)).toBe(1)
    const names = (await smtp.received()).map(({ raw }) => /Message-ID: (\S+)/.exec(raw)?.[1])
    expect(names).toEqual([`<${id}@notaria.example>`, `<${id}@notaria.example>`])
  })

  test('a run that shall stop takes no further mail', async () => {
    const system = withMailer(current(), mailerTo(smtp.port))
    const id = await anAlert(current(), await storedOffice(system.db))
    expect(await sendDueMail(system, AbortSignal.abort())).toBe(0)
    expect(await findMail(system.db, id)).toMatchObject({ state: 'waiting', attempts: 0 })
  })

  test('a secret that does not open fails, told, and holds up nothing', async () => {
    const system = withMailer(current(), mailerTo(smtp.port))
    const office = await storedOffice(system.db)
    const id = await system.db.transaction((trx) =>
      queueSealedMail(trx, system.vault, {
        officeId: office.id,
        to: { name: 'Ana', address: Email.parse('ana@notaria.example') },
        at: MORNING,
        facts: {
          kind: 'signing-completed',
          title: 'Poder',
          documents: ['Poder'],
          verdicts: [],
          secretLink: 'https://r.example/s#1',
          linkExpiresAt: after(MORNING, hours(24)),
        },
      }),
    )
    current().sealingKeys.add()
    current().sealingKeys.lose(1)
    await sendDueMail(system)
    expect(await findMail(system.db, id)).toMatchObject({
      state: 'failed',
      lastError: expect.stringContaining('no se puede descifrar'),
    })
  })
})

onEachSystem('two processes with one outbox', (current, dialect) => {
  test('send each mail once', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const ids: string[] = []
    for (let count = 0; count < 12; count++) ids.push(await anAlert(system, office, `p${count}`))
    const url = await urlOf(system, dialect)
    const ends = await Promise.all([drain(url, smtp.port), drain(url, smtp.port)])
    expect(ends).toEqual([0, 0])
    expect((await smtp.received()).flatMap(({ to }) => to).toSorted()).toEqual(
      ids.map((_, count) => `p${count}@notaria.example`).toSorted(),
    )
    expect(await system.db.transaction((trx) => claimDueMail(trx, MORNING))).toBeUndefined()
  })
})

/** The address under which another process opens the same database. */
async function urlOf({ db }: TestSystem, dialect: string): Promise<string> {
  return await db.transaction(async (trx) => {
    if (dialect === 'sqlite') {
      const { rows } = await sql<{ file: string }>`pragma database_list`.execute(trx)
      return rows[0]?.file ?? ''
    }
    const { rows } = await sql<{ name: string; port: number }>`
      select current_database() as name, inet_server_port() as port`.execute(trx)
    return `postgres://postgres@127.0.0.1:${rows[0]?.port}/${rows[0]?.name}`
  })
}

function drain(url: string, port: number): Promise<number | null> {
  const child = spawn(
    process.execPath,
    ['tests/support/office/drain-outbox.ts', url, String(port)],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  return new Promise((resolve) => child.once('exit', resolve))
}

/* Encryption and passwords are the adapter's alone: no database is needed. */
const mail = {
  id: '6f1e0a52-7f5e-4d4e-9b0f-1f3f0a5e2c11' as never,
  to: { name: 'Ximena "la licenciada" Cañedo, <de prueba>', address: 'ximena@notaria.example' },
  subject: 'Su firma',
  text: 'Hola',
  html: '<p>Hola</p>',
  at: MORNING,
  attachments: [],
}
const credentials = { user: 'rubrica', password: 'contraseña @:/ñ' }
let pair: Pair
beforeAll(() => {
  pair = selfSigned()
})
afterAll(() => pair.remove())

async function withServer(
  options: Parameters<typeof startSmtpServer>[0],
  use: (server: SmtpProcess) => Promise<void>,
) {
  const server = await startSmtpServer(options)
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

test.each(['tls', 'starttls'] as const)('with %s and a password', async (kind) => {
  const { certificate, key, ca } = pair
  await withServer({ tls: { kind, certificate, key }, credentials }, async ({ port, received }) => {
    const tls = { ca, servername: NAME }
    const encrypted = { security: kind, credentials, tls }
    expect(await mailerTo(port, encrypted).send(mail)).toEqual({ kind: 'accepted' })
    expect(await received()).toMatchObject([{ isEncrypted: true, user: 'rubrica' }])

    const stranger = await mailerTo(port, { ...encrypted, tls: { servername: NAME } }).send(mail)
    expect(stranger).toMatchObject({ kind: 'unreachable', answer: expect.stringMatching(/self/) })
    const wrong = { ...encrypted, credentials: { user: 'rubrica', password: 'otra-secreta' } }
    const refused = await mailerTo(port, wrong).send(mail)
    expect(refused).toMatchObject({ kind: 'unreachable', answer: expect.stringMatching(/535/) })
    expect(JSON.stringify(refused)).not.toContain('otra-secreta')
    expect(await received()).toHaveLength(1)
  })
})

test('mail: never sent in clear text to a server without STARTTLS', async () => {
  const answer = await mailerTo(smtp.port, { security: 'starttls', credentials }).send(mail)
  expect(answer).toMatchObject({ kind: 'unreachable' })
  expect(await smtp.received()).toEqual([])
})

test('a name cannot become another address', async () => {
  expect(await mailerTo(smtp.port).send(mail)).toEqual({ kind: 'accepted' })
  expect((await smtp.received())[0]?.to).toEqual(['ximena@notaria.example'])
  const hostile = { ...mail, to: { ...mail.to, name: 'a\r\nBcc: otra@notaria.example' } }
  await mailerTo(smtp.port).send(hostile)
  expect((await smtp.received()).flatMap(({ to }) => to)).not.toContain('otra@notaria.example')
  expect((await smtp.received())[1]?.raw).not.toMatch(/^Bcc:/m)
})

test('a server that says nothing is left', { timeout: 40_000 }, async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const begun = Date.now()
  expect(await mailerTo(port).send(mail)).toMatchObject({ kind: 'unreachable' })
  expect(Date.now() - begun).toBeLessThan(30_000)
  silent.close()
})
