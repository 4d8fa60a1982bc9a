import { expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { test } from '#tests/e2e/support/newcomers.ts'

const FOUR_WORDS = 'caballo lluvia tejado norte'

test('forced password change: the user may sign out instead', async ({ page, rows, newcomer }) => {
  const { button, text } = inMain(page)
  rows.change('update users set password_change_since = 1 where id = ?', newcomer.id)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL(/\/change-password/)
  await button('Cerrar Sesión').click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(text('Su sesión se cerró.')).toBeVisible()
})

test('/mfa without a password: redirects to /login with an explanation', async ({ page }) => {
  await page.goto('/mfa')
  await expect(page).toHaveURL(/\/login$/)
  const { main, text } = inMain(page)
  await expect(main.getByRole('alert')).toHaveText('Inicie sesión con su correo y contraseña.')
  await expect(
    text('¿Olvidó su contraseña? Pida un enlace nuevo al administrador de su notaría.'),
  ).toBeVisible()
})

test('new password equal to the current one: refused, and the error clears on the next input', async ({
  page,
  hasScripts,
  newcomer,
}) => {
  const { field, button, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/dashboard/profile')
  await expect(main.getByText(newcomer.email)).toBeVisible()
  await page.goto('/change-password')
  for (const name of ['Contraseña actual', 'Contraseña nueva', 'Confirmar contraseña nueva'])
    await field(name).fill(newcomer.password)
  await button('Cambiar contraseña').click()
  const refusal = main.getByText('Es la contraseña que ya tiene. Elija otra.')
  await expect(refusal).toBeVisible()
  await expect(main.getByText('Muy buena')).toBeHidden()
  if (!hasScripts) return
  await field('Contraseña nueva').fill(FOUR_WORDS)
  await expect(refusal).toHaveCount(0)
  await expect(field('Contraseña nueva')).not.toHaveAttribute('aria-invalid', 'true')
  await expect(main.getByRole('meter')).toBeVisible()
})
