import type { Page } from '@playwright/test'
import { createAuthority } from '#server/demo/certification-authority.ts'
import { instantOf } from '#server/domain/time.ts'
import { openPage } from '#tests/e2e/support/client-state.ts'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

const PAGE = '/dashboard/settings/office'

/** In the main menu: that of the settings has a section with the same name. */
const documentsLink = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Principal' })
    .getByRole('link', { name: 'Documentos', exact: true })

test('unsaved changes: the page asks before it is left, and keeps what was typed', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('administrador')
  await openPage(page, PAGE)
  const name = inMain(page).field('Nombre')
  const before = await name.inputValue()
  const dialog = page.getByRole('dialog', { name: '¿Salir sin guardar?' })
  const leave = () => documentsLink(page).click()

  await name.fill('Notaría 12 de otro nombre')
  await leave()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Seguir en esta página' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(PAGE)
  await expect(name).toHaveValue('Notaría 12 de otro nombre')

  await leave()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(PAGE)

  await leave()
  await dialog.getByRole('button', { name: 'Salir sin guardar' }).click()
  await expect(page).toHaveURL('/dashboard/documents')
  await openPage(page, PAGE)
  await expect(name).toHaveValue(before)
})

test('unsaved changes: the button “Atrás” of the browser asks too', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('administrador')
  await openPage(page, '/dashboard/settings')
  await inMain(page).main.getByRole('link', { name: 'Cambiar datos' }).click()
  await expect(page).toHaveURL(PAGE)
  await inMain(page).field('Nombre').fill('Otra notaría')
  await page.evaluate(() => history.back())
  await expect(page.getByRole('dialog', { name: '¿Salir sin guardar?' })).toBeVisible()
  await expect(page).toHaveURL(PAGE)
})

test('unsaved changes: the browser asks before the tab is closed', async ({ page, signedInAs }) => {
  await signedInAs('administrador')
  await openPage(page, PAGE)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  await inMain(page).field('Nombre').fill('Otra notaría')
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await expect(page).toHaveURL(PAGE)
})

test('unsaved changes: a saved form and an untouched one ask nothing', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('administrador')
  const dialog = page.getByRole('dialog', { name: '¿Salir sin guardar?' })
  page.on('dialog', (asked) => {
    throw new Error(`the browser asked: ${asked.type()}`)
  })
  await openPage(page, PAGE)
  await documentsLink(page).click()
  await expect(page).toHaveURL('/dashboard/documents')

  // A form that stays on its page.
  await openPage(page, '/dashboard/profile/alerts')
  const choice = inMain(page).main.getByRole('combobox').first()
  const options = await choice.getByRole('option').count()
  const chosen = await choice.evaluate((field: HTMLSelectElement) => field.selectedIndex)
  await choice.selectOption({ index: (chosen + 1) % options })
  await inMain(page).main.getByRole('button', { name: 'Guardar' }).first().click()
  await expect(messageOn(page, true)).toBeVisible()
  await documentsLink(page).click()
  await expect(page).toHaveURL('/dashboard/documents')
  await expect(dialog).toBeHidden()
})

test('unsaved changes: a refused form asks', async ({ page, signedInAs }) => {
  await signedInAs('administrador')
  await openPage(page, '/dashboard/users/new')
  const { field, button } = inMain(page)
  await field('Nombres').fill('Ximena')
  await field('RFC').fill('no es un RFC')
  await button('Invitar').click()
  await expect(page.locator('main [aria-invalid=true]').first()).toBeVisible()
  await documentsLink(page).click()
  await expect(page.getByRole('dialog', { name: '¿Salir sin guardar?' })).toBeVisible()
})

test('unsaved changes: a file that was sent and answered on its page is left without a question', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('administrador')
  await openPage(page, '/dashboard/settings/authorities/new')
  const { main, field, button } = inMain(page)
  const { root } = await createAuthority({ now: instantOf(Date.now()) })
  await field('Archivo de la autoridad').setInputFiles({
    name: 'raiz.cer',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(root.der),
  })
  await button('Importar').click()
  await main.getByRole('link', { name: root.name }).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(root.name)
})
