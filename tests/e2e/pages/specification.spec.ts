import type { Page } from '@playwright/test'
import { expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { backToSecondStep, setUpApp, test } from '#tests/e2e/support/newcomers.ts'
import { MENU } from '#tests/e2e/support/site-map.ts'

/* Each title quotes the specification. Rows that a longer test proves are quoted in the title of that test. */

const EXPIRED = 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.'
const PROTECTED = [...MENU.map(([, path]) => path), '/dashboard/profile']

/** Expects one card with this heading, outside of all layouts. */
async function mustBeStandalone(page: Page, heading: string) {
  await expect(inMain(page).main.getByRole('heading', { level: 1 })).toHaveText(heading)
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
}

test('§2 "/login | Login | standalone"', async ({ page }) => {
  await page.goto('/login')
  await mustBeStandalone(page, 'Iniciar Sesión')
})

test('§2 "/change-password | Forced password change | standalone"', async ({
  page,
  rows,
  newcomer,
}) => {
  rows.change('update users set password_change_since = 1 where id = ?', newcomer.id)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/change-password?returnUrl=%2Fdashboard')
  await mustBeStandalone(page, 'Cambiar contraseña')
  await page.goto('/dashboard/audit')
  await expect(page).toHaveURL('/change-password?returnUrl=%2Fdashboard%2Faudit')
})

test('§2 "/setup-mfa | Multi-factor setup | standalone"', async ({ page, signedInAs }) => {
  await page.goto('/setup-mfa')
  await expect(page).toHaveURL('/login?returnUrl=%2Fsetup-mfa')
  await signedInAs('CLERK')
  await page.goto('/setup-mfa')
  await mustBeStandalone(page, 'Configurar verificación en dos pasos')
})

test('§2 "/mfa | Multi-factor challenge | standalone"', async ({ page, newcomer }) => {
  await setUpApp(page, newcomer)
  await backToSecondStep(page, newcomer)
  await mustBeStandalone(page, 'Verificación en dos pasos')
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?returnUrl=%2Fdashboard')
})

test('§2 "/ (index) | Home page | public layout", "/verify/{uuid} | Document verification | public layout"', async ({
  page,
  signedDeed,
}) => {
  const deed = await signedDeed()
  for (const path of ['/', `/verify/${deed.id}`]) {
    expect((await page.goto(path))?.status()).toBe(200)
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('banner')).toContainText('Verificar Documento')
    await expect(page.getByRole('contentinfo')).toBeVisible()
  }
})

test('§2 "/dashboard (index) | Dashboard | protected", "/dashboard/documents, /signing, /users, /profile, /certificates, /audit, /settings | Child pages | protected"', async ({
  page,
  signedInAs,
}) => {
  for (const path of PROTECTED) {
    await page.goto(path)
    await expect(page).toHaveURL(`/login?returnUrl=${encodeURIComponent(path)}`)
  }
  await signedInAs('CLERK')
  for (const path of PROTECTED) {
    expect((await page.goto(path))?.status()).toBe(200)
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('navigation', { name: 'Principal' })).toBeVisible()
  }
})

test('§2 "When a session expires the user is sent to /login with a returnUrl query parameter holding the page they were on", §4 "keeping the original location"', async ({
  page,
  rows,
  newcomer,
}) => {
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/dashboard/audit?page=1')
  rows.change('update sessions set ended_at = 1 where user_id = ?', newcomer.id)
  await page.reload()
  await expect(page).toHaveURL('/login?returnUrl=%2Fdashboard%2Faudit%3Fpage%3D1')
  await expect(inMain(page).text(EXPIRED)).toBeVisible()
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard/audit?page=1')
})

test('§2 "This does not happen if the user is already on /login or /"', async ({
  page,
  rows,
  newcomer,
}) => {
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  rows.change('update sessions set ended_at = 1 where user_id = ?', newcomer.id)
  for (const path of ['/', '/login']) {
    await page.goto(path)
    await expect(page).toHaveURL(path)
    await expect(page.getByText(EXPIRED)).toHaveCount(0)
  }
})

test('§4 "Logout: whether the call succeeds or fails, the user goes to /login"', async ({
  page,
  rows,
  newcomer,
}) => {
  for (const isOver of [false, true]) {
    await page.goto('/login')
    await signIn(page, newcomer)
    await expect(page).toHaveURL('/dashboard')
    await page.getByRole('banner').locator('summary', { hasText: 'Menú de' }).click()
    if (isOver) rows.change('update sessions set ended_at = 1 where user_id = ?', newcomer.id)
    await page.getByRole('button', { name: 'Cerrar Sesión', exact: true }).click()
    await expect(page).toHaveURL('/login')
  }
})

test('§6 "A protected route can require a list of roles; a user with none of them is redirected to /dashboard"', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await page.goto('/dashboard/users/new')
  await expect(page).toHaveURL('/dashboard')
  await signedInAs('administrador')
  await page.goto('/dashboard/users/new')
  await expect(page).toHaveURL('/dashboard/users/new')
})

test('§6 "A 403 response produces a warning", §8 "403 | No tiene permisos para realizar esta acción. | warning"', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('AUDITOR')
  expect((await page.goto('/dashboard/documents/new'))?.status()).toBe(403)
  await expect(page.getByRole('alert')).toHaveText('No tiene permisos para realizar esta acción.')
})

test('§9 "Default theme system", §3 "theme (persisted locally; light, dark or system; default system)"', async ({
  page,
  signedInAs,
}) => {
  const isIn = (scheme: string) =>
    expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  for (const path of ['/', '/login']) {
    await page.goto(path)
    await isIn('auto')
  }
  await signedInAs('CLERK')
  await page.goto('/dashboard/profile')
  await isIn('auto')
  await inMain(page).button('Oscuro').click()
  await isIn('dark')
  // The page shows the theme at once; the button is pressed when it has been kept.
  await expect(
    inMain(page).main.getByRole('button', { name: 'Oscuro', pressed: true }),
  ).toBeVisible()
  await page.context().clearCookies({ name: /session|refresh/ })
  await page.goto('/login')
  await isIn('dark')
})
