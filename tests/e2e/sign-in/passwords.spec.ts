import { expect, inMain, messageOn, signIn } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { test } from '#tests/e2e/support/newcomers.ts'

const GOOD = 'caballo grapa lluvia 47 tinta'
const SHORT =
  'La contraseña es demasiado corta: escriba al menos 15 caracteres. Sirven cuatro palabras con espacios.'

test('changing the password: shows its strength and ends all other sessions', async ({
  page,
  demo,
  hasScripts,
  newcomer,
}) => {
  const { field, button, link, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  const elsewhere = await signedInClient(demo.origin, newcomer)
  await page.goto('/dashboard/profile')
  await link('Cambiar contraseña').click()
  await expect(page).toHaveURL('/change-password?returnUrl=%2Fdashboard%2Fprofile')
  const change = async (current: string, next: string, again = next) => {
    await field('Contraseña actual').fill(current)
    await field('Contraseña nueva').fill(next)
    await field('Confirmar contraseña nueva').fill(again)
    const answer = page.waitForResponse((response) => response.url().includes('change-password'))
    await button('Cambiar contraseña').click()
    const answered = await answer
    // The page's script gets a redirect as an address to go to.
    return answered.headers()['x-form'] === 'next' ? 303 : answered.status()
  }

  expect(await change('', '')).toBe(422)
  await expect(field('Contraseña actual')).toHaveAccessibleDescription(
    'Escriba la contraseña que usa hoy.',
  )
  expect(await change('no es esta contraseña', GOOD)).toBe(422)
  await expect(field('Contraseña actual')).toHaveAccessibleDescription(
    'La contraseña actual no es correcta. Escríbala de nuevo.',
  )
  expect(await change(newcomer.password, GOOD, `${GOOD}x`)).toBe(422)
  await expect(field('Confirmar contraseña nueva')).toHaveAccessibleDescription(
    'Las dos contraseñas no son iguales. Escriba la misma en ambos campos.',
  )
  expect(await change(newcomer.password, 'corta')).toBe(422)
  await expect(field('Contraseña nueva')).toHaveAccessibleDescription(new RegExp(`${SHORT}`))
  expect(await change(newcomer.password, 'notaria12coyoacan')).toBe(422)
  await expect(main.getByRole('meter', { name: 'Fortaleza de la contraseña' })).toBeVisible()
  await expect(field('Contraseña nueva')).toHaveAccessibleDescription(/palabras de la notaría/)
  for (const label of ['Contraseña actual', 'Contraseña nueva', 'Confirmar contraseña nueva'])
    await expect(field(label)).toHaveValue('')

  expect(await change(newcomer.password, GOOD)).toBe(303)
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(messageOn(page, hasScripts)).toHaveText(
    'La contraseña se cambió y las demás sesiones se cerraron.',
  )
  expect((await elsewhere.get('/dashboard')).status).toBe(302)
  await page.context().clearCookies({ name: /session|refresh/ })
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(main.getByRole('alert')).toHaveText('El correo o la contraseña no son correctos.')
  await signIn(page, { ...newcomer, password: GOOD })
  await expect(page).toHaveURL('/dashboard')
})

test('forced password change: nothing else works before it', async ({ page, rows, newcomer }) => {
  const { field, button, link, main } = inMain(page)
  rows.change('update users set password_change_since = 1 where id = ?', newcomer.id)
  const wanted = '/dashboard/documents'
  await page.goto(wanted)
  await signIn(page, newcomer)
  await expect(page).toHaveURL(`/change-password?returnUrl=${encodeURIComponent(wanted)}`)
  await expect(main).toContainText('pide que cambie su contraseña')
  await expect(link('Cancelar')).toHaveCount(0)
  await page.goto('/dashboard/profile')
  await expect(page).toHaveURL('/change-password?returnUrl=%2Fdashboard%2Fprofile')
  await page.goto(`/change-password?returnUrl=${encodeURIComponent(wanted)}`)
  await field('Contraseña actual').fill(newcomer.password)
  await field('Contraseña nueva').fill(GOOD)
  await field('Confirmar contraseña nueva').fill(GOOD)
  await button('Cambiar contraseña').click()
  await expect(page).toHaveURL(wanted)
})
