import { aPdf } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

test('draft: its file is replaced, and the earlier one stays as a version', async ({
  page,
  hasScripts,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const path = `/dashboard/documents/${deed.id}`
  const { main, field, button, link } = inMain(page)
  await signedInAs('CLERK')
  await page.goto(path)
  await link('Reemplazar el archivo').click()
  await field('Qué cambió (opcional)').fill('Se corrigió el lindero norte')
  await field('Archivo PDF').setInputFiles(aFile('no-es.pdf', 'no es un PDF'))
  await button('Reemplazar el archivo').click()
  await expect(main).toContainText('El archivo no es un PDF')
  await expect(field('Qué cambió (opcional)')).toHaveValue('Se corrigió el lindero norte')
  await field('Archivo PDF').setInputFiles(aFile('mismo.pdf', deed.bytes))
  await button('Reemplazar el archivo').click()
  await expect(main).toContainText('Ese archivo ya es la versión actual del documento.')
  const corrected = aPdf(3)
  await field('Archivo PDF').setInputFiles(aFile('corregido.pdf', corrected))
  await button('Reemplazar el archivo').click()
  await expect(messageOn(page, hasScripts)).toHaveText(
    'El archivo se reemplazó. La versión anterior se conserva.',
  )
  await expect(link('Versión 2, original')).toBeVisible()
  await expect(link('Versión 1, reemplazada')).toBeVisible()
  await expect(main).toContainText('Página 1 de 3')
  const fileAt = async (version: number) =>
    (await page.request.get(`${path}/download/${version}`)).body()
  expect(await fileAt(2)).toEqual(Buffer.from(corrected))
  expect(await fileAt(1)).toEqual(Buffer.from(deed.bytes))
  await expect(link('Descargar original')).toHaveAttribute('href', `${path}/download/2`)
})

test('draft: a stale tab does not replace the file that a colleague put there', async ({
  page,
  context,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  const stale = await context.newPage()
  for (const tab of [page, stale]) await tab.goto(`/dashboard/documents/${deed.id}/replace`)
  const [first, second] = [inMain(page), inMain(stale)]
  await first.field('Archivo PDF').setInputFiles(aFile('uno.pdf', aPdf(1)))
  await first.button('Reemplazar el archivo').click()
  await expect(first.link('Versión 2, original')).toBeVisible()
  await second.field('Archivo PDF').setInputFiles(aFile('dos.pdf', aPdf(1)))
  await second.button('Reemplazar el archivo').click()
  await expect(second.main).toContainText('El archivo del documento cambió mientras usted')
})
