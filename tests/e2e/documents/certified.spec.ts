import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'

test('certified PDF: the page says that it allows no further signature', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const entries = '/Reference[<</TransformMethod/DocMDP/TransformParams<</P 1>>>>]'
  const certified = await handSigned({ seal: sealOf(await testEfirma()), entries })
  const deed = await uploadedDeed(certified)
  const free = await uploadedDeed()
  const { link, main } = inMain(page)
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${free.id}`)
  await expect(link('Firmar')).toBeVisible()
  await page.goto(`/dashboard/documents/${deed.id}`)
  await expect(main).toContainText('El archivo llegó con una firma.')
  await expect(main).toContainText('nadie más puede firmarlo y no se le agrega nada')
  await expect(link('Firmar')).toHaveCount(0)
  await expect(link('Descargar original')).toBeVisible()
})
