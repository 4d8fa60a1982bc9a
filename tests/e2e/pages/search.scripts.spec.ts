import { openPage } from '#tests/e2e/support/client-state.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

/* The dialog that searches from every page of the office. */

test('keys / and Ctrl+K: open the search, Enter opens what is found', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  await openPage(page, '/dashboard')
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('/')
  const field = dialog.getByRole('textbox', { name: 'Buscar en la notaría' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
  await expect(dialog.getByText('Catálogo de partes', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await field.fill(deed.title)
  await expect(dialog.getByText(deed.title, { exact: true })).toBeVisible()
  await expect(dialog.getByText('Catálogo de partes', { exact: true })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
  await expect(dialog).toHaveCount(0)

  await page.getByRole('link', { name: 'Buscar en la notaría' }).click()
  await field.fill('varios')
  await dialog.getByText('Firmar varios documentos').click()
  await expect(page).toHaveURL('/dashboard/signing/batch')
})

test('key / in a field: is a letter', async ({ page, signedInAs }) => {
  await signedInAs('CLERK')
  await openPage(page, '/dashboard/documents')
  const { field } = inMain(page)
  await field('Buscar documentos').focus()
  await page.keyboard.type('20/11/2026')
  await expect(field('Buscar documentos')).toHaveValue('20/11/2026')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('search dialog that cannot be loaded: the link opens the page', async ({
  page,
  signedInAs,
  faults,
}) => {
  await signedInAs('CLERK')
  await page.route(/jump-dialog/, (route) => route.abort())
  await openPage(page, '/dashboard')
  await page.getByRole('link', { name: 'Buscar en la notaría' }).click()
  await expect(page).toHaveURL('/dashboard/search')
  faults.length = 0
})
