import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('signing form: all fields and the button are visible without scrolling', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  await signedInAs('titular')
  const deed = await uploadedDeed()
  for (const [width, height] of [
    [1366, 650],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    const { button, field } = inMain(page)
    const foot = await button('Firmar documento').evaluate(
      (element) => element.parentElement!.getBoundingClientRect().top,
    )
    for (const label of ['Certificado (.cer)', 'Clave privada (.key)']) {
      const box = await field(label).boundingBox()
      expect([label, (box?.y ?? 0) + (box?.height ?? height) <= foot]).toEqual([label, true])
    }
    const password = await field('Contraseña de la clave privada').boundingBox()
    expect((password?.y ?? 0) + (password?.height ?? height)).toBeLessThanOrEqual(foot)
    await button('Firmar documento').click()
    await page.waitForLoadState()
    await page.evaluate(() => scrollTo(0, 0))
    await expect(button('Firmar documento')).toBeInViewport({ ratio: 1 })
  }
})
