import { expect, test } from '#tests/e2e/support/fixtures.ts'

test('signing page: shows one of its two forms and no empty space', async ({
  page,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  await signedInAs('NOTARY')
  const deed = await uploadedDeed()
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  const main = page.getByRole('main')

  const inPage = main.getByRole('heading', { name: 'Firmar con e.firma', exact: true })
  const onServer = main.getByRole('heading', { name: 'Firmar en el servidor', exact: true })
  const wayOut = main.getByRole('link', {
    name: 'Enviar la clave para firmar en el servidor',
    exact: true,
  })
  if (hasScripts) {
    await expect(inPage).toBeVisible()
    await expect(wayOut).toBeVisible()
    await expect(onServer).toHaveCount(0)
  } else {
    await expect(onServer).toBeVisible()
    await expect(inPage).toBeHidden()
    await expect(wayOut).toBeHidden()
  }
  await expect(main.getByRole('button', { name: 'Firmar documento', exact: true })).toHaveCount(1)
})
