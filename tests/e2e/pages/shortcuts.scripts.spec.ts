import { openPage } from '#tests/e2e/support/client-state.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('key ?: lists the shortcuts; Escape and "Cerrar" close them; in a field it is a letter', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await openPage(page, '/dashboard/documents')
  const dialog = page.getByRole('dialog', { name: 'Atajos de teclado' })
  await page.keyboard.press('?')
  await expect(dialog).toBeVisible()
  await expect(dialog).toContainText('Buscar en toda la notaría')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('?')
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await expect(dialog).toBeHidden()
  const { field } = inMain(page)
  await field('Buscar documentos').focus()
  await page.keyboard.type('¿Qué?')
  await expect(field('Buscar documentos')).toHaveValue('¿Qué?')
  await expect(dialog).toBeHidden()
})
