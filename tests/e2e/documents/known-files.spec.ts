import { aPdf, aTitle, idIn } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('upload: a file that the office has is named with a link, and stored again only if wanted', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  const { main, field, button, link, text } = inMain(page)
  await signedInAs('CLERK')
  const pdf = aPdf()
  const [first, second] = [aTitle('Primera'), aTitle('Segunda')]
  await page.goto('/dashboard/documents/new')
  await field('Título').fill(first)
  await field('Archivo PDF').setInputFiles(aFile('casa.pdf', pdf))
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(first)
  const id = idIn(page.url())

  await page.goto('/dashboard/documents/new')
  await field('Archivo PDF').setInputFiles(aFile('otra.pdf', pdf))
  await field('Título').fill(second)
  await button('Subir').click()
  await expect(main).toContainText(
    /Este archivo ya está: .*folio 2\d{3}-\d{6}\. No se guardó otra vez\./,
  )
  await expect(link(first)).toHaveAttribute('href', `/dashboard/documents/${id}`)
  await expect(field('Título')).toHaveValue(second)
  // With scripts the file stays.
  if (!hasScripts) await field('Archivo PDF').setInputFiles(aFile('otra.pdf', pdf))
  await text('Subirlo de todos modos').click()
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(second)
  expect(idIn(page.url())).not.toBe(id)
})
