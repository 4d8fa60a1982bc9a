import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('security key: without scripts the page offers other factors', async ({
  page,
  signedInAs,
}) => {
  const { button, link, main } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/setup-mfa/key')
  // Texts of <noscript> are none for Playwright, whether they are shown or not.
  const note = main.locator('noscript > div')
  await expect(note).toBeVisible()
  expect(await note.innerText()).toMatch(
    /no puede usar llaves de seguridad\.\s+Elija\s+otra forma/s,
  )
  await expect(button('Usar llave de seguridad')).toHaveCount(0)
  await link('Elegir otra forma').click()
  await expect(page).toHaveURL(/\/setup-mfa(\?|$)/)
})
