import { expect, inMain, test } from './support/story.ts'

test('without scripts a key cannot be asked, and the page says what to do instead', async ({
  page,
  signedInAs,
}) => {
  const { button, link, main } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/setup-mfa/key')
  await expect(
    main.getByText('Las llaves de seguridad necesitan JavaScript, que está desactivado'),
  ).toBeVisible()
  await expect(button('Usar llave de seguridad')).toHaveCount(0)
  await link('Elegir otra forma').click()
  await expect(page).toHaveURL(/\/setup-mfa(\?|$)/)
})
