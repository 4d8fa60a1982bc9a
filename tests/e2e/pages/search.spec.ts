import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

/* The search of the whole office: documents, persons, pages. */

test('search from the top bar: finds a document by its title, persons and pages', async ({
  page,
  signedInAs,
  uploadedDeed,
  javaScriptEnabled,
}) => {
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  await page.goto('/dashboard/search')
  const { field, button } = inMain(page)
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Catálogo de partes', exact: true })).toBeVisible()
  await field('Buscar en la notaría').fill(deed.title)
  if (!javaScriptEnabled) await button('Buscar').click()
  const found = main.getByRole('link', { name: new RegExp(`^${deed.title}`) })
  await expect(found).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/search\?text=/)
  await expect(main.getByRole('link', { name: 'Catálogo de partes', exact: true })).toHaveCount(0)
  await found.click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)

  await page.goto('/dashboard/search?text=zzzzzz')
  await expect(main.getByRole('link')).toHaveText(['Buscar “zzzzzz” en el catálogo de partes'])
  await expect(main).toContainText('Nada coincide con la búsqueda.')
  await page.goto(`/dashboard/search?text=${'x'.repeat(201)}`)
  await expect(main.getByRole('link', { name: 'Catálogo de partes', exact: true })).toBeVisible()
})

test('search of a clerk: shows no page of administrators, and a colleague leads to documents', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await page.goto('/dashboard/search?text=notar')
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Datos de la notaría' })).toHaveCount(0)
  await page.goto('/dashboard/search?text=nunez%20iban')
  const colleague = main
    .locator('section', { has: page.getByRole('heading', { name: 'Personas de la notaría' }) })
    .getByRole('link')
    .first()
  await expect(colleague).toHaveAttribute('href', /^\/dashboard\/documents\?text=/)
})
