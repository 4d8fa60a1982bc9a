import { aPdf } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

for (const width of [390, 1280])
  test(`verify file: the button stays where it is while a chosen file is looked up (${width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const { main, field, button } = inMain(page)
    const answered = Promise.withResolvers<void>()
    await page.route('**/verify/document/registered', async (route) => {
      await answered.promise
      await route.continue()
    })
    await page.goto('/verify/document')
    await field('Archivo PDF').setInputFiles(aFile('carta.pdf', aPdf()))
    await expect(main).toContainText('Se calcula la huella')
    const placeOf = async () => (await button('Verificar archivo').boundingBox())?.y
    const before = await placeOf()
    answered.resolve()
    await expect(main).toContainText('Este archivo no está registrado aquí')
    expect(await placeOf()).toBe(before)
  })
