import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { tabTo } from '#tests/e2e/support/keyboard.ts'

test('keyboard: a notary signs without a mouse', async ({ page, person, uploadedDeed }) => {
  const { field, button, link, text } = inMain(page)
  const notary = person('titular')
  const deed = await uploadedDeed()
  const address = `/dashboard/documents/${deed.id}`

  await page.goto(`/login?returnUrl=${encodeURIComponent(address)}`)
  await expect(field('Correo electrónico')).toBeFocused()
  await page.keyboard.type(notary.email)
  await page.keyboard.press('Tab')
  await expect(field('Contraseña')).toBeFocused()
  await page.keyboard.type(notary.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(address)

  await tabTo(page, link('Firmar'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${address}/sign`)
  await expect(field('Certificado (.cer)')).toBeVisible()
  // The window in which a file is chosen belongs to the browser.
  await tabTo(page, field('Certificado (.cer)'))
  await field('Certificado (.cer)').setInputFiles(notary.cer)
  await page.keyboard.press('Tab')
  await expect(field('Clave privada (.key)')).toBeFocused()
  await field('Clave privada (.key)').setInputFiles(notary.key)
  await page.keyboard.press('Tab')
  await expect(field('Contraseña de la clave privada')).toBeFocused()
  await page.keyboard.type(notary.keyPassword)
  const consent = page.getByRole('checkbox').filter({ visible: true })
  if (await consent.isVisible()) {
    await tabTo(page, consent)
    await page.keyboard.press('Space')
  }
  await tabTo(page, button('Firmar documento'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(address)
  await expect(text('Firmado')).toBeVisible()
})

test('keyboard: the first Tab stop skips the menus', async ({ page, signedInAs }) => {
  await signedInAs('titular')
  for (const path of ['/', '/dashboard']) {
    await page.goto(path)
    await page.keyboard.press('Tab')
    const skip = page.locator('a[href="#contenido"]')
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  }
})

test('keyboard: focus is always visible', async ({ page, signedInAs }) => {
  await signedInAs('titular')
  for (const path of [
    '/',
    '/login',
    '/dashboard',
    '/dashboard/documents/new',
    '/verify/document',
  ]) {
    await page.goto(path)
    for (let step = 0; step < 25; step += 1) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate(() => {
        const element = document.activeElement
        if (!element || element === document.body) return null
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        return { name: element.outerHTML.slice(0, 80), outlineStyle, outlineWidth }
      })
      if (!seen) continue
      expect([path, seen.name, seen.outlineStyle]).not.toEqual([path, seen.name, 'none'])
      expect([path, seen.name, seen.outlineWidth]).toEqual([path, seen.name, '2px'])
    }
  }
})
