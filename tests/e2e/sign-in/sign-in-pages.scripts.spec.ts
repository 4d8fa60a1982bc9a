import { expectNoViolations, violationsOn } from '#tests/e2e/support/accessibility.ts'
import { stopClock } from '#tests/e2e/support/client-state.ts'
import { expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { codeOf, secretOn, test } from '#tests/e2e/support/newcomers.ts'

/** The most that a sign-in page may weigh on the wire, with everything that it loads. */
const HEAVIEST_BYTES = 24 * 1024

test('sign-in pages: break no accessibility rule', async ({ page, rows, newcomer }) => {
  test.setTimeout(180_000)
  const { field, button, main } = inMain(page)
  await expectNoViolations(page, '/activate')
  await button('Guardar y entrar').click()
  expect(await violationsOn(page)).toEqual([])
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  for (const path of ['/change-password', '/setup-mfa', '/setup-mfa/key', '/step-up'])
    await expectNoViolations(page, path)
  await button('Verificar').click()
  expect(await violationsOn(page)).toEqual([])
  await page.goto('/change-password')
  await field('Contraseña nueva').fill('notaria12coyoacan')
  await expect(main.getByRole('meter')).toBeVisible()
  expect(await violationsOn(page)).toEqual([])

  await page.goto('/setup-mfa')
  await main.getByRole('button', { name: /^Aplicación/ }).click()
  await expect(field('Código de verificación')).toBeVisible()
  expect(await violationsOn(page)).toEqual([])
  await field('Código de verificación').fill(codeOf(await secretOn(page)))
  await button('Activar').click()
  await expect(button('Imprimir')).toBeVisible()
  expect(await violationsOn(page)).toEqual([])
  for (const part of ['', '/authenticator', '/backup-codes'])
    await expectNoViolations(page, `/dashboard/profile${part}`)

  await page.context().clearCookies({ name: /session|refresh/ })
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL(/\/mfa/)
  expect(await violationsOn(page)).toEqual([])
  rows.change('update sign_ins set expires_at = 1 where user_id = ?', newcomer.id)
  await page.reload()
  await expect(page).toHaveURL(/\/login/)
  expect(await violationsOn(page)).toEqual([])
})

test('sign-in pages: load no React and weigh at most 24 KB', async ({ page, newcomer }) => {
  test.slow()
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/favicon.svg')) return
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  const weigh = async (path: string) => {
    await page.waitForLoadState('networkidle')
    sizes.length = 0
    await page.goto(path, { waitUntil: 'networkidle' })
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(bytes, `${path} is light`).toBeLessThanOrEqual(HEAVIEST_BYTES)
    expect(await page.evaluate(() => '__reactRouterContext' in window)).toBe(false)
  }
  for (const path of ['/login', '/activate']) await weigh(path)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  for (const path of ['/change-password', '/setup-mfa', '/setup-mfa/key', '/step-up'])
    await weigh(path)
  await page.goto('/setup-mfa')
  await inMain(page)
    .main.getByRole('button', { name: /^Aplicación/ })
    .click()
  await expect(page).toHaveURL(/\/setup-mfa\/app/)
  await weigh('/setup-mfa/app')
  await inMain(page)
    .field('Código de verificación')
    .fill(codeOf(await secretOn(page)))
  await inMain(page).button('Activar').click()
  await expect(page).toHaveURL(/\/setup-mfa\/backup-codes/)
  await weigh('/setup-mfa/backup-codes')
  await page.context().clearCookies({ name: /session|refresh/ })
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL(/\/mfa/)
  await weigh('/mfa')
})

test('§8 "warning "Su sesión ha expirado. …" for 6000 ms", on /login', async ({
  page,
  rows,
  newcomer,
}) => {
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  rows.change('update sessions set ended_at = 1 where user_id = ?', newcomer.id)
  await stopClock(page)
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?returnUrl=%2Fdashboard')
  const notice = page.getByText('Su sesión ha expirado. Por favor, inicie sesión nuevamente.')
  await expect(notice).toBeVisible()
  await page.clock.runFor(5_999)
  await expect(notice).toBeVisible()
  await page.clock.runFor(1)
  await expect(notice).toHaveCount(0)
  await page.reload()
  await expect(notice).toHaveCount(0)
})

test('sign-in pages: the strength of a password shows while typing and is stored nowhere', async ({
  page,
  newcomer,
}) => {
  const { field, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/change-password')
  const meter = main.getByRole('meter', { name: 'Fortaleza de la contraseña' })
  await expect(meter).toBeHidden()
  const asked = page.waitForResponse((response) => response.url().endsWith('/password-strength'))
  await field('Contraseña nueva').pressSequentially('ruiz pena angela', { delay: 20 })
  const answer = await asked
  expect(answer.headers()['cache-control']).toBe('no-store')
  expect(answer.request().method()).toBe('POST')
  await expect(meter).toHaveAttribute('value', '1')
  await expect(main).toContainText('palabras de la notaría o de sus propios datos')
  await field('Contraseña nueva').fill('caballo grapa lluvia 47 tinta')
  await expect(meter).toHaveAttribute('value', '4')
  await expect(main).toContainText('Muy buena')
  await field('Contraseña nueva').fill('')
  await expect(meter).toBeHidden()
})
