import type { Page } from '@playwright/test'
import { test as base, expect, fillSigning, inMain } from '#tests/e2e/support/fixtures.ts'
import { type GuestInvitation, inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { agree, anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { insertParties } from '#tests/e2e/support/parties.ts'
import { cancelSession, openSession } from '#tests/e2e/support/signing-session.ts'

/* Signers who have the page open with their key chosen when its state becomes outdated. */

type Held = { asked: GuestInvitation; page: Page; documentId: string }

const test = base.extend<{ guest: Held; endTime: (sessionId: string) => void }>({
  /** An external signer who has filled in everything and not yet signed. */
  guest: async ({ browser, demo, person, uploadedDeed, hasScripts }, use) => {
    const deed = await uploadedDeed()
    const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
    const page = await anotherBrowser(browser, demo, hasScripts)
    await openLink(page, `${demo.origin}/sign#${await asked.newCode()}`, hasScripts)
    await expect(page).toHaveURL(/\/sign\/documents/)
    await agree(page)
    await expect(inMain(page).link('Revisar y firmar')).toBeVisible()
    await ready(page, deed.id, asked)
    await use({ asked, page, documentId: deed.id })
    await page.context().close()
  },
  endTime: async ({}, use) => {
    const rows = officeDatabase(process.env.DEMO_DATA ?? '')
    await use((id) => {
      const change = 'update signing_sessions set deadline = ? where id = ?'
      expect(rows.change(change, Date.now() - 1000, id)).toBe(1)
    })
    rows.close()
  },
})

async function ready(page: Page, documentId: string, { signer }: GuestInvitation) {
  await page.goto(`/sign/documents/${documentId}`)
  await expect(inMain(page).button('Firmar documento')).toBeEnabled()
  await fillSigning(page, signer)
}

function idOf({ email }: { email: string }): { id: string } {
  const rows = officeDatabase(process.env.DEMO_DATA ?? '')
  const [user] = rows.all<{ id: string }>('select id from users where email = ?', email)
  rows.close()
  if (!user) throw new Error(`no user has the address ${email}`)
  return user
}

const SLOW = { timeout: 30_000 }
const ENDED =
  'Su enlace ya no sirve: venció, se retiró o se le dio otro. Pida uno nuevo a la notaría.'

test('revoked link: the signer reads that it ended and where to ask', async ({
  guest: { asked, page },
}) => {
  await asked.revoke()
  await inMain(page).button('Firmar documento').click()
  await expect(page).toHaveURL(/\/sign(?:#|$)/, SLOW)
  await expect(page.getByRole('alert')).toHaveText(ENDED)
})

test('external signer with two windows: the second one shows the signed copy', async ({
  guest: { asked, page, documentId },
  hasScripts,
}) => {
  const second = await page.context().newPage()
  await ready(second, documentId, asked)
  for (const window of [page, second]) {
    await inMain(window).button('Firmar documento').click()
    await expect(window).toHaveURL(`/sign/documents/${documentId}`, SLOW)
    const { main } = inMain(window)
    await expect(main).toContainText('El documento tiene todas sus firmas.')
  }
  if (hasScripts) return
  await second.goBack()
  await second.reload()
  await expect(inMain(second).main).toContainText('El documento tiene todas sus firmas.')
})

test('notary with two windows: signs once, and the second one says so', async ({
  page,
  context,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed()
  const second = await context.newPage()
  for (const window of [page, second]) {
    await window.goto(`/dashboard/documents/${deed.id}/sign`)
    await fillSigning(window, notary)
  }
  for (const window of [page, second]) await inMain(window).button('Firmar documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`, SLOW)
  if (hasScripts) await expect(second).toHaveURL(`/dashboard/documents/${deed.id}`, SLOW)
  await expect(inMain(second).main).toContainText('Usted ya firmó este documento.', SLOW)
  const rows = officeDatabase(process.env.DEMO_DATA ?? '')
  expect(rows.all('select id from signatures where document_id = ?', deed.id)).toHaveLength(1)
  rows.close()
})

test('overdue external signer: every page names who can extend the deadline', async ({
  guest: { asked, page, documentId },
  endTime,
}) => {
  const { main, button } = inMain(page)
  const overdue = 'El plazo para firmar venció. Pida a la notaría que lo amplíe.'
  endTime(asked.sessionId)
  await button('Firmar documento').click()
  await expect(main).toContainText(overdue, SLOW)
  await page.goto(`/sign/documents/${documentId}`)
  await expect(main).toContainText(overdue)
  await page.goto('/sign/documents')
  await expect(main).toContainText('Si todavía va a firmar, pida a la notaría que lo amplíe.')
})

test('overdue signer of the office: is not asked for a key', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  endTime,
}) => {
  const { main, button, link } = inMain(page)
  const deed = await uploadedDeed()
  const notary = idOf(person('suplente'))
  const sessionId = await openSession(demo.origin, person('CLERK'), [deed], [notary])
  const signer = await signedInAs('suplente')
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await fillSigning(page, signer)
  endTime(sessionId)
  await button('Firmar documento').click()
  await expect(main).toContainText('El plazo para firmar venció.', SLOW)
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await expect(main).toContainText('Pida a quien hizo la sesión de firma que lo amplíe.')
  await expect(button('Firmar documento')).toHaveCount(0)
  await page.goto('/dashboard/signing')
  await expect(link(deed.title)).toHaveCount(0)
})

test('session with a suspended signer: the page explains the delay and offers a remedy', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const rows = officeDatabase(process.env.DEMO_DATA ?? '')
  const [gone] = await insertParties(rows, person('LAWYER'), 1)
  const deed = await uploadedDeed()
  const sessionId = await openSession(demo.origin, person('CLERK'), [deed], [gone!])
  rows.change(`update users set state = 'suspended' where id = ?`, gone!.id)
  rows.close()
  const asked = await inviteGuest(demo, await uploadedDeed(), person('CLERK'), person('suplente'))

  const { main, button } = inMain(page)
  await signedInAs('CLERK')
  await page.goto(`/dashboard/signing/${sessionId}`)
  await expect(main).toContainText('No puede firmar: su cuenta no está activa.')
  await expect(main).toContainText(`Sustituir a`)
  await expect(button('Enviar recordatorio')).toHaveCount(0)

  await page.goto(`/dashboard/signing/${asked.sessionId}`)
  await expect(main).toContainText('Todavía no tiene enlace para firmar')
  await asked.newCode()
  await page.reload()
  await expect(main).not.toContainText('Todavía no tiene enlace para firmar')
  await asked.revoke()
  await page.reload()
  await expect(main).toContainText('Su enlace para firmar venció o se retiró: cree otro.')
})

test('session cancelled while signing forms are open: every document reports it', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  const deeds = [await uploadedDeed(), await uploadedDeed()]
  const signer = await signedInAs('suplente')
  const sessionId = await openSession(demo.origin, person('CLERK'), deeds, [idOf(signer)])
  await page.goto(`/dashboard/signing/batch?session=${sessionId}`)
  await fillSigning(page, signer)
  await cancelSession(demo.origin, person('CLERK'), sessionId)
  await inMain(page).button('Firmar los marcados').click()
  const over = inMain(page).main.getByText(/La sesión de firma terminó: se canceló/)
  await expect(over).toHaveCount(2, SLOW)
  if (hasScripts) await expect(inMain(page).main).toContainText('Se firmaron 0 de 2')
})
