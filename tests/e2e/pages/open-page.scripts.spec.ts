import { createHash } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'
import {
  answerCall,
  callsOf,
  openPage,
  returnToTab,
  stayOnPage,
  stopClock,
} from '#tests/e2e/support/client-state.ts'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'

const EXPIRED = 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.'

test('open page: the side menu collapses and expands but never disappears', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await openPage(page)
  const menu = page.getByRole('navigation', { name: 'Principal' })
  const width = () => menu.evaluate((element) => element.getBoundingClientRect().width)
  await expect.poll(width).toBe(240)
  await page.getByRole('button', { name: 'Contraer menú' }).click()
  await expect.poll(width).toBeLessThan(80)
  await expect(menu.getByRole('link', { name: 'Auditoría' })).toBeVisible()
  await menu.getByRole('link', { name: 'Auditoría' }).click()
  await expect(page).toHaveURL(/\/dashboard\/audit$/)
  await expect.poll(width).toBeLessThan(80)
  await page.getByRole('button', { name: 'Ampliar menú' }).click()
  await expect.poll(width).toBe(240)
})

test('open page: a chosen theme applies at once and is kept', async ({ page, signedInAs }) => {
  await signedInAs('CLERK')
  await openPage(page)
  const isIn = (scheme: string) =>
    expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  await isIn('auto')
  // Before the server has answered.
  const looked = Promise.withResolvers<void>()
  await page.route('**/theme*', async (route) => {
    await looked.promise
    await route.continue()
  })
  await page.locator('summary', { hasText: 'Menú de' }).click()
  const kept = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.getByRole('button', { name: 'Oscuro' }).click()
  await isIn('dark')
  looked.resolve()
  await kept
  await page.reload()
  await isIn('dark')
})

test('open page: sign-out is a call and leads to /login', async ({ page, signedInAs }) => {
  await signedInAs('CLERK')
  await openPage(page, '/dashboard/documents')
  await page.locator('summary', { hasText: 'Menú de' }).click()
  const called = page.waitForRequest('**/api/v1/auth/logout')
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
  expect((await called).method()).toBe('POST')
  await expect(page).toHaveURL(/\/login$/)
  await expect(inMain(page).text('Su sesión se cerró.')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login\?returnUrl=%2Fdashboard$/)
})

test('§4 "Logout: whether the call succeeds or fails, the user goes to /login": without a network', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await openPage(page)
  await page.route('**/api/v1/auth/logout', (route) => route.abort())
  await page.locator('summary', { hasText: 'Menú de' }).click()
  const called = page.waitForRequest('**/api/v1/auth/logout')
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
  await called
  // A browser that is closed while it clears its storage may hang: the test ends on the page that it reached.
  await expect(page).toHaveURL(/\/login$/)
  await expect(inMain(page).text('Su sesión se cerró.')).toBeVisible()
})

test('open page: returning after the session ended leads to /login and then back to the page', async ({
  page,
  context,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await openPage(page, '/dashboard/audit?page=1')
  const checked = page.waitForResponse('**/api/v1/auth/session/validate')
  await returnToTab(page)
  expect(await (await checked).json()).toMatchObject({ valid: true })
  await expect(page).toHaveURL(/\/dashboard\/audit\?page=1$/)

  await context.addCookies(
    ['__Host-session', '__Host-refresh_token'].map((name) => ({
      name,
      value: 'A'.repeat(43),
      domain: 'localhost',
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Lax' as const,
    })),
  )
  await returnToTab(page)
  await expect(page).toHaveURL(/\/login\?returnUrl=%2Fdashboard%2Faudit%3Fpage%3D1$/)
  await expect(inMain(page).text(EXPIRED)).toBeVisible()
})

/** As if ten minutes had passed since the page was opened. */
async function expireAccess(context: BrowserContext): Promise<void> {
  const token = (await context.cookies()).find(({ name }) => name === '__Host-session')?.value ?? ''
  const database = officeDatabase(process.env.DEMO_DATA ?? '')
  const changed = database.change(
    'update session_tokens set expires_at = ? where token_hash = ?',
    Date.now() - 1,
    createHash('sha256').update(token).digest('hex'),
  )
  database.close()
  expect(changed).toBe(1)
}

test('open page: returning after the access token expired refreshes the session silently', async ({
  page,
  context,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await openPage(page, '/dashboard/audit')
  await expireAccess(context)
  const calls = callsOf(page)
  await returnToTab(page)
  await expect.poll(() => calls).toHaveLength(3)
  expect(calls).toEqual(['session/validate 401', 'refresh 200', 'session/validate 200'])
  await expect(messageOn(page, true)).toHaveCount(0)
  await page.reload()
  await expect(page).toHaveURL(/\/dashboard\/audit$/)
  await expect(messageOn(page, true)).toHaveCount(0)
})

test('open page: sign-out works after the access token expired', async ({
  page,
  context,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await openPage(page)
  await page.locator('summary', { hasText: 'Menú de' }).click()
  await expireAccess(context)
  const answered = page.waitForResponse('**/api/v1/auth/logout')
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
  expect((await answered).status()).toBe(204)
  await expect(page).toHaveURL(/\/login$/)
})

test('open page: a lost network is reported for five seconds', async ({ page, signedInAs }) => {
  await signedInAs('CLERK')
  await stopClock(page)
  await openPage(page)
  await page.route('**/api/v1/auth/**', (route) => route.abort())
  await returnToTab(page)
  const news = messageOn(page, true)
  await expect(news).toHaveText('Error de conexión. Por favor, verifique su conexión a internet.')
  await page.clock.runFor(4_999)
  await expect(news).toBeVisible()
  await page.clock.runFor(1)
  await expect(news).toHaveCount(0)
  // The toast is hidden at once and removed by the next timer.
  await page.clock.runFor(1)
  await returnToTab(page)
  await page.getByRole('button', { name: 'Cerrar aviso' }).click()
  await expect(news).toHaveCount(0)
})

for (const [status, sentence] of [
  [404, 'El recurso solicitado no fue encontrado.'],
  [500, 'Error del servidor. Por favor, intente más tarde.'],
  [503, 'Ocurrió un error inesperado. Por favor, intente nuevamente.'],
] as const)
  test(`open page: a call answered with ${status} shows its message`, async ({
    page,
    signedInAs,
  }) => {
    await signedInAs('CLERK')
    await page.goto('/dashboard')
    await expect(page.getByRole('button', { name: 'Contraer menú' })).toBeVisible()
    await answerCall(page, 'session/validate', status)
    await returnToTab(page)
    await expect(messageOn(page, true)).toHaveText(sentence)
  })

test('open page: a forbidden session check leads to /login', async ({ page, signedInAs }) => {
  await signedInAs('CLERK')
  await openPage(page, '/dashboard/audit')
  await answerCall(page, 'session/validate', 403)
  await stayOnPage(page)
  const went = page.waitForRequest((request) => request.url().includes('/login?returnUrl='))
  await returnToTab(page)
  expect(new URL((await went).url()).searchParams.get('returnUrl')).toBe('/dashboard/audit')
})
