import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('filters: a phone folds them, and a wide screen shows them without a fold', async ({
  page,
  signedInAs,
}) => {
  const { main, field, button } = inMain(page)
  await signedInAs('CLERK')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/dashboard/documents')
  const fold = main.getByText('Filtros', { exact: true })
  await expect(fold).toBeHidden()
  const tops = []
  for (const label of ['Tipo', 'Subido por', 'Subido desde', 'Subido hasta'])
    tops.push((await field(label).boundingBox())?.y)
  expect(new Set(tops).size).toBe(1)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(fold).toBeVisible()
  await expect(field('Tipo')).toHaveCount(0)
  await fold.click()
  await field('Tipo').selectOption({ label: 'Testamento' })
  await button('Buscar').click()
  await expect(main.getByRole('navigation', { name: 'Filtros activos' })).toContainText(
    'Tipo: Testamento',
  )
})

test('filters: a changed field waits for the button, and the words that are typed take it along', async ({
  page,
  uploadedDeed,
  signedInAs,
}) => {
  const deed = await uploadedDeed()
  const { main, field, link } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents')
  await field('Subido por').selectOption({ label: 'Mí' })
  await field('Buscar documentos').pressSequentially(deed.title, { delay: 20 })
  await expect(main.getByRole('navigation', { name: 'Filtros activos' })).toContainText(
    'Subido por mí',
  )
  await expect(link(deed.title)).toBeVisible()
  await expect(field('Buscar documentos')).toBeFocused()
  await expect(field('Buscar documentos')).toHaveValue(deed.title)
})
