import type { Page } from '@playwright/test'
import { PEOPLE } from '#server/demo/people.ts'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'

/** A draft session over the document, with an external signer and then a notary. */
async function draftSession(page: Page, deed: { id: string }, notary: DemoUser): Promise<string> {
  const { main, field, button } = inMain(page)
  await page.goto(`/dashboard/signing/new?document=${deed.id}`)
  await field('Título').fill('Compraventa de prueba')
  await button('Crear sesión').click()
  await expect(page).toHaveURL(/\/dashboard\/signing\/[0-9a-f-]{36}$/)
  const staff = main.locator('details', { hasText: 'Agregar a una persona de la notaría' })
  await staff
    .getByLabel('Persona')
    .selectOption({ label: `${notary.firstName} ${notary.lastName}` })
  await staff.getByLabel('Orden').fill('2')
  await staff.getByRole('button', { name: 'Agregar firmante' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: notary.lastName })).toBeVisible()
  const outside = main.locator('details', { hasText: 'Agregar a una persona externa' })
  await outside.locator('summary').click()
  await outside.getByLabel('Nombre completo').fill('Benito Núñez Peña')
  await outside.getByLabel('RFC').fill('NUPB801201QX7')
  await outside.getByLabel('Carácter declarado').fill('Comprador')
  await outside.getByLabel('Orden').fill('1')
  await outside.getByRole('button', { name: 'Agregar firmante externo' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Benito Núñez Peña' })).toBeVisible()
  return new URL(page.url()).pathname
}

test('review: shows who signs, as what, in which order, and the sheet, and opens what it showed', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, link, button, text } = inMain(page)
  const deed = await uploadedDeed()
  const notary = person('titular')
  await signedInAs('CLERK')
  const session = await draftSession(page, deed, notary)
  await expect(button('Abrir sesión')).toHaveCount(0)
  await link('Revisar y abrir').click()
  await expect(page).toHaveURL(`${session}/review`)

  const rows = main.getByRole('table').first().getByRole('row')
  await expect(rows.nth(1)).toContainText('Benito Núñez Peña')
  await expect(rows.nth(1)).toContainText('Carácter declarado: Comprador')
  const { rfc } = PEOPLE.find(({ email }) => email === notary.email)!
  await expect(rows.nth(2)).toContainText(rfc)
  await expect(rows.nth(2)).toContainText('Notario titular')
  await expect(main).toContainText(deed.title)
  await expect(main).toContainText('No tiene fecha límite')
  await expect(main).toContainText('Benito Núñez Peña no tiene correo electrónico')
  const sheet = main.getByRole('img', { name: /^Hoja de firmas 1 de 1/ })
  await sheet.scrollIntoViewIfNeeded()
  await expect
    .poll(() => sheet.evaluate((image: HTMLImageElement) => image.naturalWidth), {
      timeout: 30_000,
    })
    .toBe(1000)

  await button('Abrir sesión').click()
  await expect(page).toHaveURL(session)
  await expect(text('Abierta')).toBeVisible()
  await page.goto(`${session}/review`)
  await expect(page).toHaveURL(session)
})

test('review: a change in another tab is noticed, and nothing is opened', async ({
  page,
  context,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  const { main, link, button, text } = inMain(page)
  await signedInAs('CLERK')
  const session = await draftSession(page, await uploadedDeed(), person('titular'))
  await link('Revisar y abrir').click()
  await expect(main).toContainText('Benito Núñez Peña')

  const other = await context.newPage()
  await other.goto(session)
  const row = inMain(other).main.getByRole('listitem').filter({ hasText: 'Benito Núñez Peña' })
  await row.getByRole('button', { name: 'Quitar firmante' }).click()
  await expect(row).toHaveCount(0)
  await other.close()

  await button('Abrir sesión').click()
  await expect(messageOn(page, hasScripts).last()).toContainText(
    'La sesión cambió después de que usted',
  )
  await expect(main.getByRole('table').first()).not.toContainText('Benito Núñez Peña')
  await button('Abrir sesión').click()
  await expect(text('Abierta')).toBeVisible()
})
