import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { signedInClient } from '#tests/e2e/support/http.ts'
import type { Demo } from '#tests/support/processes/demo-server.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'
import { startSmtpServer } from '#tests/support/processes/smtp-server.ts'

test('outbox: with a mail server configured the mail is sent and marked as sent', async () => {
  test.setTimeout(180_000)
  const smtp = await startSmtpServer()
  const port = String(await freePort())
  const server = await startServer('demo', {
    PORT: port,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Notaría 12 <rubrica@notaria.example>',
  })
  try {
    const file = path.join(server.dataFolder, 'demo/demo.json')
    const demo: Demo = JSON.parse(readFileSync(file, 'utf8'))
    const administrator = demo.users.find(({ email }) => email.startsWith('administrador@'))
    if (!administrator) throw new Error('the demo has no administrator')
    // A new browser: its owner is notified by mail.
    await signedInClient(demo.origin, administrator)
    const client = await signedInClient(demo.origin, administrator)
    const theirs = async () =>
      (await smtp.received()).find(({ to }) => to.includes(administrator.email))
    await expect.poll(theirs, { timeout: 90_000 }).toBeDefined()
    expect(await theirs()).toMatchObject({
      from: 'rubrica@notaria.example',
      to: [administrator.email],
    })
    await expect
      .poll(async () => (await client.get('/dashboard/settings/outbox')).text, { timeout: 30_000 })
      .toContain('Enviado')
    const { status, text } = await client.get('/dashboard/settings/outbox')
    expect(status).toBe(200)
    expect(text).not.toContain('No hay servidor de correo')
  } finally {
    await server.stop()
    await smtp.stop()
  }
})
