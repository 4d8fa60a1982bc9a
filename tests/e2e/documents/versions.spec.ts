import { violationsOn } from '#tests/e2e/support/accessibility.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

test('versions: two are compared word by word, marked by more than colour', async ({
  page,
  hasScripts,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const path = `/dashboard/documents/${deed.id}`
  const { main, field, button, link } = inMain(page)
  await signedInAs('CLERK')
  await page.goto(`${path}/replace`)
  const longer = pdfWithTable(bodiesWithPages(3, '/Nuevo true'))
  await field('Archivo PDF').setInputFiles(aFile('corregido.pdf', longer))
  await button('Reemplazar el archivo').click()
  await link('Comparar versiones').click()
  await expect(field('Versión anterior').locator('option:checked')).toContainText(
    'Versión 1, reemplazada',
  )
  await expect(main.getByRole('row').nth(1)).toContainText('Versión 2, original')
  for (const time of await main.locator('tbody time').all())
    expect((await time.boundingBox())?.height).toBeLessThan(30)
  await button('Comparar el texto').click()
  await expect(main).toContainText('Hay una diferencia.')
  expect(new URL(page.url()).search).toBe('?from=1&to=2')
  const place = main.getByRole('listitem').filter({ hasText: 'Página 3' })
  await expect(place.locator('ins')).toHaveText('Page 3')
  await expect(place).toContainText('[se agregó: Page 3]')
  await expect(place.locator('del')).toHaveCount(0)
  if (hasScripts) expect(await violationsOn(page)).toEqual([])

  await field('Versión anterior').selectOption({ value: '2' })
  await field('Versión nueva').selectOption({ value: '1' })
  await button('Comparar el texto').click()
  await expect(main.locator('li del')).toHaveText('Page 3')
  await field('Versión anterior').selectOption({ value: '1' })
  await button('Comparar el texto').click()
  await expect(main).toContainText('Son el mismo archivo, byte por byte.')
})

test('versions: of a signed document, what the sheet added is named, with its page', async ({
  page,
  signedInAs,
  signedDeed,
}) => {
  const deed = await signedDeed()
  await signedInAs('AUDITOR')
  const path = `/dashboard/documents/${deed.id}/versions`
  await page.goto(`${path}?from=1&to=2`)
  const { main } = inMain(page)
  const place = main.getByRole('listitem').filter({ hasText: 'Página 3' })
  await expect(place.locator('ins')).toContainText('Hoja de firmas')
  expect((await page.goto(`${path}?from=1&to=77`))?.status()).toBe(404)
  expect((await page.goto(`${path}?from=uno&to=2`))?.status()).toBe(200)
  await expect(main.locator('ins')).toHaveCount(0)
})
