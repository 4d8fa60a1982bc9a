import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('reader: keys turn and enlarge, and leave fields alone', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(aPdf(8))
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}`)
  const figure = (number: number) =>
    page.getByRole('figure', { name: `Página ${number} de 8`, exact: true })
  await expect(figure(1)).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('ArrowRight')
    await expect(figure(4)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('ArrowLeft')
  await expect(figure(1)).toBeVisible()
  await page.keyboard.press('+')
  await expect(page).toHaveURL(/zoom=125/)
  await page.getByLabel('Página', { exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('-')
  await expect(page).toHaveURL(/zoom=125/)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('reader: the foot counts the pages while one scrolls', async ({
    page,
    signedInAs,
    uploadedDeed,
  }) => {
    const deed = await uploadedDeed(aPdf(3))
    await signedInAs('titular')
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    const foot = page.getByRole('navigation', { name: 'Lector' })
    await expect(foot).toContainText('Página 1 de 3')
    await page.getByRole('figure', { name: 'Página 3 de 3' }).scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 400)
    await expect(foot).toContainText('Página 3 de 3')
  })
})

test('reader: turning pages keeps a chosen e.firma and its password, also where the connection is lost', async ({
  page,
  context,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(aPdf(8))
  const notary = await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  const { main, field, button, link } = inMain(page)
  await field('Certificado (.cer)').setInputFiles(notary.cer)
  await field('Clave privada (.key)').setInputFiles(notary.key)
  await field('Contraseña de la clave privada').fill(notary.keyPassword)
  const shown = () =>
    page
      .getByRole('figure', { name: /^Página \d+ de 8$/ })
      .evaluateAll((all) => all.map((one) => one.id))

  await link('Siguiente').first().click()
  await expect.poll(shown).toEqual(['pagina-4', 'pagina-5', 'pagina-6'])
  await expect(page).toHaveURL(/\?pagina=4#lector$/)
  await context.setOffline(true)
  await link('Siguiente').first().click()
  await expect(main.getByRole('alert')).toContainText('Error de conexión.')
  await context.setOffline(false)
  // A guard that leads elsewhere, as when the session ended; then all is well again.
  await page.route('**/sign?pagina=7*', (route) =>
    route.fulfill({ status: 302, headers: { Location: '/login' } }),
  )
  await link('Siguiente').first().click()
  await expect(main.getByRole('alert')).toHaveText(/^Su sesión ha expirado/)
  await page.unroute('**/sign?pagina=7*')
  await page.locator('#lector-pagina').fill('8')
  await button('Ir').click()
  await expect.poll(shown).toEqual(['pagina-8'])
  await expect(main.getByRole('alert')).toHaveCount(0)
  const last = page.getByRole('img', { name: 'Página 8 de 8' })
  await expect(last).toHaveJSProperty('complete', true)
  expect(await last.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  // It signs at once: the pages were reached, and nothing has to be chosen again.
  await expect(field('Contraseña de la clave privada')).toHaveValue(notary.keyPassword)
  await button('Firmar documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`, { timeout: 60_000 })
  await expect(main.getByText('Firmado', { exact: true }).first()).toBeVisible()
})
