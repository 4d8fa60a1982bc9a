import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('new session: made from a document, it has the title of the document, which can be changed', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button, link } = inMain(page)
  const [deed, other] = [await uploadedDeed(), await uploadedDeed()]
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await link('Crear sesión de firma').click()
  await expect(field('Título')).toHaveValue(deed.title)
  await field('Título').fill('')
  await button('Agregar persona externa').click()
  await expect(field('Nombre completo')).toBeVisible()
  await expect(field('Título')).toHaveValue('')
  // A session of several has a title of its own.
  await page.goto(`/dashboard/signing/new?document=${deed.id}&document=${other.id}`)
  await expect(field('Título')).toHaveValue('')
  await page.goto(`/dashboard/signing/new?document=${deed.id}`)
  await button('Crear sesión').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(deed.title)
})
