import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('size of a file: the same in the form of the upload, on the page of the document and in its versions', async ({
  page,
  signedInAs,
}) => {
  const { main, field, button, link } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents/new')
  const title = aTitle('Carta')
  const pages = aPdf(2)
  const content = Buffer.concat([pages, Buffer.from(`\n%${' '.repeat(44_000)}`)])
  const size = `${Math.round(content.length / 1024)} KB`
  await field('Archivo PDF').setInputFiles(aFile('carta.pdf', content))
  await expect(main.getByRole('listitem').filter({ hasText: 'carta.pdf' })).toContainText(size)
  await field('Título').fill(title)
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(main).toContainText(size)
  await link('Reemplazar el archivo').click()
  await field('Archivo PDF').setInputFiles(aFile('otra.pdf', aPdf(3)))
  await button('Reemplazar el archivo').click()
  await link('Comparar versiones').click()
  await expect(main.getByRole('row', { name: /reemplazada/ })).toContainText(size)
})
