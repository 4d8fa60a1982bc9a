import { readFileSync } from 'node:fs'
import { PEOPLE } from '#server/demo/people.ts'
import { test as base, expect, fillSigning, inMain } from '#tests/e2e/support/fixtures.ts'
import { agree, anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'
import { judgePdf } from '#tests/e2e/support/judged-pdf.ts'
import { openSession, remindGuest } from '#tests/e2e/support/signing-session.ts'
import { attachedTo, partOf } from '#tests/support/office/mail-parts.ts'
import { type DemoServer, startDemoServer } from '#tests/support/processes/demo-server.ts'
import { type SmtpProcess, startSmtpServer } from '#tests/support/processes/smtp-server.ts'

/* A demo office that sends its mail to a real server in another process, and an external signer who reads it. */

type Office = { server: DemoServer; smtp: SmtpProcess }

const test = base.extend<{ office: Office }>({
  office: [
    async ({}, use) => {
      const smtp = await startSmtpServer()
      try {
        const server = await startDemoServer({
          SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
          MAIL_FROM: 'Notaría 12 <rubrica@notaria.example>',
        })
        await use({ server, smtp }).finally(() => server.stop())
      } finally {
        await smtp.stop()
      }
    },
    { timeout: 180_000 },
  ],
  demo: async ({ office }, use) => {
    await use(office.server.demo)
  },
})

const EMAIL = 'comprador@correo.example'
const SLOW = { timeout: 120_000 }

/** The message to them with this in its subject, once it has arrived. */
async function arrived({ smtp }: Office, subject: RegExp) {
  const find = async () =>
    (await smtp.received()).find(
      ({ to, raw }) => to.includes(EMAIL) && subject.test(subjectOf(raw)),
    )
  await expect.poll(find, SLOW).toBeDefined()
  return (await find())?.raw ?? ''
}

/** @see RFC 2047 */
function subjectOf(raw: string): string {
  const [, folded = ''] = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw) ?? []
  return folded
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?(B|Q)\?([^?]*)\?=/gi, (_, way: string, text: string) =>
      way.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeURIComponent(text.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, '%$1')),
    )
}

function linkIn(raw: string): string {
  const [link] = /http\S+\/sign#\S+/.exec(partOf(raw, 'text/plain')) ?? []
  if (!link) throw new Error('no link in the mail')
  return link
}

/* Mail is sent every ten seconds. */
test.setTimeout(300_000)

test('mailed link: leads to the signature, and the signed copies arrive by mail and by link', async ({
  page,
  browser,
  office,
  demo,
  person,
  uploadedDeed,
  hasScripts,
}) => {
  const { main, button, link, text } = inMain(page)
  const deeds = [await uploadedDeed(), await uploadedDeed()]
  const [first, second] = deeds
  if (!first || !second) throw new Error('no deeds')
  const signer = person('suplente')
  const { rfc, firstName, lastName } = PEOPLE.find(({ email }) => email === signer.email)!
  const outside = { name: `${firstName} ${lastName}`, rfc, email: EMAIL }
  const session = await openSession(demo.origin, person('CLERK'), deeds, [outside])

  const invitation = linkIn(await arrived(office, /^Su firma: /))
  expect(invitation.startsWith(`${demo.origin}/sign#`)).toBe(true)
  await openLink(page, invitation, hasScripts)
  await expect(main).toContainText(rfc)
  await agree(page)
  await page.goto(`/sign/documents/${first.id}`)
  await fillSigning(page, signer)
  await button('Firmar documento').click()
  await expect(link('Descargar mi copia')).toBeVisible(SLOW)

  // A reminder arrives during the signature and does not interrupt it.
  await remindGuest(demo.origin, person('CLERK'), session)
  const reminder = linkIn(await arrived(office, /^Recordatorio: /))
  expect(reminder).not.toBe(invitation)
  await page.goto(`/sign/documents/${second.id}`)
  await fillSigning(page, signer)
  await button('Firmar documento').click()
  await expect(text('El documento tiene todas sus firmas.')).toBeVisible(SLOW)

  const root = `${office.server.dataFolder}/demo/authority/root.cer`
  const copies = attachedTo(await arrived(office, /^Firma concluida: /))
  expect(copies).toHaveLength(2)
  for (const { file } of copies)
    expect(judgePdf(file, root)).toMatchObject({
      signatures: [{ isValid: true }],
      isSound: true,
    })

  const elsewhere = await anotherBrowser(browser, demo, hasScripts)
  await openLink(elsewhere, invitation, hasScripts)
  await expect(inMain(elsewhere).main).toContainText('Pida un enlace nuevo a la notaría.')
  await openLink(elsewhere, reminder, hasScripts)
  await agree(elsewhere)
  await elsewhere.goto(`/sign/documents/${first.id}`)
  const download = elsewhere.waitForEvent('download')
  await inMain(elsewhere).link('Descargar mi copia').click()
  const { signatures } = judgePdf(readFileSync(await (await download).path()), root)
  expect(signatures).toMatchObject([{ isValid: true }])
  await elsewhere.context().close()

  // At most one browser continues.
  await page.goto('/sign/documents')
  await expect(page).toHaveURL(/\/sign(?:#|$)/)
})
