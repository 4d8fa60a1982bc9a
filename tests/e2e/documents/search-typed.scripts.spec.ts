import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('search: documents are found while the user types, and the field keeps focus and text', async ({
  page,
  uploadedDeed,
  signedInAs,
}) => {
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents')
  const { main, field } = inMain(page)
  const searches: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('documents.data')) searches.push(request.url())
  })
  await field('Buscar documentos').pressSequentially(deed.title, { delay: 20 })
  await expect(main.getByRole('link', { name: deed.title })).toBeVisible()
  await expect(main.getByRole('row').filter({ has: page.getByRole('link') })).toHaveCount(1)
  await expect(field('Buscar documentos')).toBeFocused()
  await expect(field('Buscar documentos')).toHaveValue(deed.title)
  expect(searches.length).toBeLessThan(deed.title.length / 2)

  await field('Buscar documentos').press('End')
  await field('Buscar documentos').pressSequentially('xyz', { delay: 20 })
  await expect(main).toContainText('Ningún documento coincide con la búsqueda.')
  await page.goBack()
  await expect(page).toHaveURL('/dashboard/documents')
  await expect(field('Buscar documentos')).toHaveValue('')
})
