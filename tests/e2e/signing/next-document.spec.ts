import { expect, fillSigning, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { agree, anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

const SLOW = { timeout: 30_000 }

test('after signing: the next document of the same session waits behind a link', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  test.slow()
  const { main, button } = inMain(page)
  const [first, second] = [await uploadedDeed(), await uploadedDeed()]
  const notary = person('suplente')
  const asked = { colleague: `${notary.firstName} ${notary.lastName}`, step: 1 }
  await openSession(demo.origin, person('CLERK'), [first, second], [asked])
  await signedInAs('suplente')
  await page.goto(`/dashboard/documents/${first.id}/sign`)
  await fillSigning(page, notary)
  await button('Firmar documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${first.id}`, SLOW)
  await expect(main).toContainText('Firmado. Siguiente:')
  await main.getByRole('link', { name: second.title, exact: true }).click()
  await expect(page).toHaveURL(`/dashboard/documents/${second.id}/sign`)
  await fillSigning(page, notary)
  await button('Firmar documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${second.id}`, SLOW)
  await expect(main.getByRole('link', { name: first.title, exact: true })).toHaveCount(0)
})

test('external signer: the next document waits behind a link, and the last one has none', async ({
  page,
  browser,
  demo,
  person,
  uploadedDeed,
  hasScripts,
}) => {
  test.slow()
  const [first, second] = [await uploadedDeed(), await uploadedDeed()]
  const asked = await inviteGuest(demo, [first, second], person('CLERK'), person('suplente'))
  const guest = await anotherBrowser(browser, demo, hasScripts)
  const { main, button } = inMain(guest)
  await openLink(guest, `${demo.origin}/sign#${await asked.newCode()}`, hasScripts)
  await agree(guest)
  await guest.goto(`/sign/documents/${first.id}`)
  await fillSigning(guest, asked.signer)
  await button('Firmar documento').click()
  await expect(main).toContainText('Firmado. Siguiente:', SLOW)
  await main.getByRole('link', { name: second.title, exact: true }).click()
  await expect(guest).toHaveURL(`/sign/documents/${second.id}`)
  await fillSigning(guest, asked.signer)
  await button('Firmar documento').click()
  await expect(main.getByRole('link', { name: 'Descargar mi copia' })).toBeVisible(SLOW)
  await expect(main).not.toContainText('Siguiente:')
  await guest.context().close()
  await page.close()
})

test('documents of a session: reordered with buttons, and kept so', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button } = inMain(page)
  const [first, second] = [await uploadedDeed(), await uploadedDeed()]
  await signedInAs('CLERK')
  await page.goto(`/dashboard/signing/new?document=${first.id}&document=${second.id}`)
  await field('Título').fill('Con orden')
  await button('Crear sesión').click()
  const rows = main.getByRole('table').first().getByRole('row')
  const titleOf = (index: number) => rows.nth(index).getByRole('link')
  await expect(rows).toHaveCount(3)
  const [was, other] = [await titleOf(1).textContent(), await titleOf(2).textContent()]
  await button(`Bajar ${was}`).click()
  await expect(titleOf(1)).toHaveText(other ?? '')
  await expect(titleOf(2)).toHaveText(was ?? '')
  await expect(button(`Bajar ${was}`)).toHaveCount(0)
  await page.reload()
  await expect(titleOf(2)).toHaveText(was ?? '')
})
