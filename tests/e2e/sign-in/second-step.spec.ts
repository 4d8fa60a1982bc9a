import { readFileSync } from 'node:fs'
import { expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import {
  allowNextCode,
  backToSecondStep,
  codeOf,
  codesOn,
  secretOn,
  setUpApp,
  test,
} from '#tests/e2e/support/newcomers.ts'

const GONE = 'La verificación venció o se agotaron los intentos. Inicie sesión de nuevo.'

test('authenticator app: is set up, its codes complete the sign-in, and backup codes are shown once', async ({
  page,
  rows,
  newcomer,
}) => {
  const { field, button, link, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')

  await page.goto('/setup-mfa?returnUrl=/dashboard/profile')
  await expect(link('Ahora no')).toHaveAttribute('href', '/dashboard/profile')
  await main.getByRole('button', { name: /^Aplicación de autenticación/ }).click()
  await expect(main.getByRole('img', { name: 'Código QR' })).toBeVisible()
  await expect(main.getByText('Clave secreta')).toBeVisible()
  const secret = await secretOn(page)
  await page.reload()
  expect(await secretOn(page)).toBe(secret)

  await field('Código de verificación').fill('no es')
  await button('Activar').click()
  await expect(field('Código de verificación')).toHaveAccessibleDescription(
    /El código no es correcto.*en el servidor son las \d\d:\d\d:\d\d \(hora del centro\)/,
  )
  await expect(field('Código de verificación')).toHaveValue('')
  await field('Código de verificación').fill(codeOf(secret))
  await button('Activar').click()

  const codes = await codesOn(page)
  expect(codes).toHaveLength(10)
  for (const code of codes) expect(code).toMatch(/^(?:[0-9A-Z]{4}-){2}[0-9A-Z]{4}$/)
  expect(page.url()).not.toContain(codes[0])
  const download = page.waitForEvent('download')
  await link('Descargar').click()
  const file = readFileSync(await (await download).path(), 'utf8')
  for (const code of codes) expect(file).toContain(code)

  await button('Continuar').click()
  await expect(page).toHaveURL('/dashboard/profile')
  await page.goBack()
  await expect(main).toContainText('Los códigos ya no se muestran.')
  await expect(page.getByText(codes[0] ?? '')).toHaveCount(0)
  await page.goto('/setup-mfa/backup-codes.txt')
  await expect(page).toHaveURL('/setup-mfa/backup-codes')

  allowNextCode(rows, newcomer)
  await backToSecondStep(page, newcomer)
  await expect(main).toContainText(newcomer.email)
  await field('Código de verificación').fill(codeOf(secret))
  await button('Verificar').click()
  await expect(page).toHaveURL('/dashboard')
})

test('second factor: a wrong code says what to do, and a backup code works once', async ({
  page,
  newcomer,
}) => {
  const { field, button, main } = inMain(page)
  const { code, codes } = await setUpApp(page, newcomer)
  const [first = ''] = codes

  await backToSecondStep(page, newcomer)
  await button('Verificar').click()
  await expect(field('Código de verificación')).toHaveAccessibleDescription(
    /Escriba los seis dígitos del código\./,
  )
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  await field('Código de verificación').fill('000000')
  await button('Verificar').click()
  expect((await answer).status()).toBe(401)
  await expect(main.getByRole('alert')).toContainText('Le quedan 4 intentos.')
  // The same code again, not the current one: half a minute may have passed.
  await field('Código de verificación').fill(code)
  await button('Verificar').click()
  await expect(main.getByRole('alert')).toContainText('Ese código ya se usó.')

  await main.getByRole('link', { name: /^Código de respaldo/ }).click()
  await field('Código de respaldo').fill(first.toLowerCase().replaceAll('-', ' '))
  await button('Verificar').click()
  await expect(page).toHaveURL('/dashboard')

  await backToSecondStep(page, newcomer)
  await main.getByRole('link', { name: /^Código de respaldo/ }).click()
  await field('Código de respaldo').fill(first)
  await button('Verificar').click()
  await expect(main.getByRole('alert')).toContainText('ya se usó')
  await expect(field('Código de respaldo')).toHaveValue('')
})

test('second factor: after it expired, sign-in starts again and keeps returnUrl', async ({
  page,
  rows,
  newcomer,
}) => {
  const { field, button, main } = inMain(page)
  const { codes } = await setUpApp(page, newcomer)
  const wanted = '/dashboard/documents'
  await page.context().clearCookies({ name: /session|refresh/ })
  await page.goto(wanted)
  await signIn(page, newcomer)
  await expect(page).toHaveURL(/\/mfa/)
  for (const left of ['Le quedan 4', 'Le quedan 3', 'Le quedan 2', 'Le queda un intento']) {
    await field('Código de verificación').fill('000000')
    await button('Verificar').click()
    await expect(main.getByRole('alert')).toContainText(left)
  }
  await field('Código de verificación').fill('000000')
  await button('Verificar').click()
  await expect(page).toHaveURL(`/login?returnUrl=${encodeURIComponent(wanted)}`)
  await expect(main.getByRole('alert')).toHaveText(GONE)
  await expect(field('Correo electrónico')).toHaveValue(newcomer.email)
  await expect(field('Contraseña')).toHaveValue('')

  await field('Contraseña').fill(newcomer.password)
  await button('Iniciar Sesión').click()
  await expect(page).toHaveURL(/\/mfa/)
  rows.change('update sign_ins set expires_at = 1 where user_id = ?', newcomer.id)
  await page.reload()
  await expect(main.getByRole('alert')).toHaveText(GONE)
  await expect(field('Correo electrónico')).toHaveValue(newcomer.email)

  await field('Contraseña').fill(newcomer.password)
  await button('Iniciar Sesión').click()
  await main.getByRole('link', { name: /^Código de respaldo/ }).click()
  await field('Código de respaldo').fill(codes[1] ?? '')
  await button('Verificar').click()
  await expect(page).toHaveURL(wanted)
})

test('second factor: two tabs and the back button reach the requested page', async ({
  page,
  context,
  newcomer,
}) => {
  const { codes } = await setUpApp(page, newcomer)
  await backToSecondStep(page, newcomer)
  const other = await context.newPage()
  await other.goto('/login')
  const third = await context.newPage()
  await third.goto('/mfa')

  const { field, button, main } = inMain(page)
  await main.getByRole('link', { name: /^Código de respaldo/ }).click()
  await field('Código de respaldo').fill(codes[0] ?? '')
  await button('Verificar').click()
  await expect(page).toHaveURL('/dashboard')

  await signIn(other, newcomer)
  await expect(other).toHaveURL('/dashboard')
  await inMain(third).field('Código de verificación').fill('123456')
  await inMain(third).button('Verificar').click()
  await expect(third).toHaveURL('/dashboard')

  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
})

test('second factor: an app set up in another tab leads back to the choice', async ({
  page,
  context,
  newcomer,
}) => {
  const { field, button, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/setup-mfa')
  await main.getByRole('button', { name: /^Aplicación/ }).click()
  const code = codeOf(await secretOn(page))
  const other = await context.newPage()
  await other.goto('/setup-mfa/app')
  await inMain(other).field('Código de verificación').fill(code)
  await field('Código de verificación').fill(code)
  await button('Activar').click()
  await codesOn(page)
  await inMain(other).button('Activar').click()
  await expect(other).toHaveURL('/setup-mfa?returnUrl=%2Fdashboard')
  await expect(inMain(other).main).toContainText('Otra aplicación de autenticación')
})

test('second factor: unavailable before the password', async ({ page }) => {
  await page.goto('/mfa?returnUrl=%2Fdashboard%2Faudit')
  await expect(page).toHaveURL('/login?returnUrl=%2Fdashboard%2Faudit')
  for (const path of ['/setup-mfa', '/setup-mfa/backup-codes', '/step-up', '/change-password']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/login?returnUrl=${encodeURIComponent(path)}`)
  }
})
