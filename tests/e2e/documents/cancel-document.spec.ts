import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

test('cancelling a draft: a notary gives a reason, and every user of the office can read it', async ({
  page,
  hasScripts,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button, link } = inMain(page)
  const deed = await uploadedDeed()
  await signedInAs('AUDITOR')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(deed.title)
  await expect(link('Cancelar documento')).toHaveCount(0)

  const notary = await signedInAs('suplente')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await link('Cancelar documento').click()
  await field('Motivo').fill(' ')
  await button('Cancelar documento').click()
  await expect(main).toContainText('Escriba el motivo, hasta 500 caracteres.')
  await field('Motivo').fill('Se subió dos veces')
  await button('Cancelar documento').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El documento quedó cancelado.')
  await expect(main.getByText('Cancelado', { exact: true })).toBeVisible()
  const cancellation = `${notary.firstName} ${notary.lastName} lo canceló: Se subió dos veces`
  await expect(main).toContainText(cancellation)
  await expect(link('Firmar')).toHaveCount(0)
  await expect(link('Cancelar documento')).toHaveCount(0)
})
