import {
  answerCall,
  callsOf,
  clientState,
  openPage,
  returnToTab,
  stayOnPage,
  stopClock,
} from '#tests/e2e/support/client-state.ts'
import { expect, inMain, messageOn, signIn } from '#tests/e2e/support/fixtures.ts'
import { insertKey, test } from '#tests/e2e/support/newcomers.ts'

/* Each title quotes the specification. Rows that a longer test proves are quoted in the title of that test. */

const EXPIRED = 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.'
const USER = { firstName: 'Iván', lastName: 'Castañeda Cruz', roles: ['CLERK'] }

test.describe('client state of an open page', () => {
  test.beforeEach(async ({ signedInAs }) => void (await signedInAs('CLERK')))

  test('§3 "sidebarOpen (boolean, default true); theme (…; default system); notifications (list); globalLoading (boolean); loadingMessage", "requiresMFA (boolean) and mfaSessionToken (nullable)", §9 "Default theme system; sidebar starts open"', async ({
    page,
  }) => {
    await openPage(page)
    expect(await clientState(page)).toEqual({
      sidebarOpen: true,
      theme: 'system',
      notifications: [],
      globalLoading: false,
      loadingMessage: null,
      requiresMFA: false,
      mfaSessionToken: null,
    })
  })

  test('§3 "Toast notification: id (made from the current time), type (success, warning, error, info), message, duration"', async ({
    page,
  }) => {
    await stopClock(page)
    await openPage(page)
    const now = await page.evaluate(() => Date.now())
    await answerCall(page, 'session/validate', 500)
    for (const count of [1, 2]) {
      await returnToTab(page)
      await expect(messageOn(page, true)).toHaveCount(count)
    }
    const message = 'Error del servidor. Por favor, intente más tarde.'
    const toast = { type: 'error', message, duration: 5000 }
    expect((await clientState(page)).notifications).toEqual([
      { ...toast, id: String(now) },
      { ...toast, id: String(now + 1) },
    ])
  })

  test('§4 "Notifications can be added, removed by id or all cleared"', async ({ page }) => {
    await stopClock(page)
    await openPage(page)
    const messages = async () =>
      (await clientState(page)).notifications.map(({ message }) => message.split('.')[0])
    const clearAll = page.getByRole('button', { name: 'Cerrar todos los avisos', exact: true })
    for (const [index, status] of [404, 500, 503].entries()) {
      await expect(clearAll).toBeVisible({ visible: index > 1 })
      await answerCall(page, 'session/validate', status)
      await returnToTab(page)
      await expect(messageOn(page, true)).toHaveCount(index + 1)
    }
    await page.getByRole('button', { name: 'Cerrar aviso', exact: true }).nth(1).click()
    expect(await messages()).toEqual([
      'El recurso solicitado no fue encontrado',
      'Ocurrió un error inesperado',
    ])
    await clearAll.click()
    expect(await messages()).toEqual([])
    await expect(messageOn(page, true)).toHaveCount(0)
  })

  test('§4 "Theme can be changed and persists"', async ({ page }) => {
    await openPage(page)
    await page.getByRole('banner').locator('summary', { hasText: 'Menú de' }).click()
    const kept = page.waitForResponse((answer) => answer.request().method() === 'POST')
    await page.getByRole('button', { name: 'Oscuro', exact: true }).click()
    expect((await clientState(page)).theme).toBe('dark')
    await kept
    await openPage(page)
    expect((await clientState(page)).theme).toBe('dark')
  })

  test('§4 "Sidebar can be toggled"', async ({ page }) => {
    await openPage(page)
    await page.getByRole('button', { name: 'Contraer menú' }).click()
    expect((await clientState(page)).sidebarOpen).toBe(false)
    await page.getByRole('button', { name: 'Ampliar menú' }).click()
    expect((await clientState(page)).sidebarOpen).toBe(true)
  })

  test('§3 "globalLoading (boolean); loadingMessage", §4 "Logout: …; a failure is only logged"', async ({
    page,
  }) => {
    await openPage(page)
    const logged = page.waitForEvent('console', (message) => message.type() === 'warning')
    const arrival = Promise.withResolvers<void>()
    await page.route('**/api/v1/auth/logout', async (route) => {
      await arrival.promise
      await route.fulfill({ status: 500 })
    })
    await page.getByRole('banner').locator('summary', { hasText: 'Menú de' }).click()
    await page.getByRole('button', { name: 'Cerrar Sesión', exact: true }).click()
    await expect(page.getByText('Cerrando la sesión…')).toBeVisible()
    expect(await clientState(page)).toMatchObject({
      globalLoading: true,
      loadingMessage: 'Cerrando la sesión…',
      notifications: [],
    })
    arrival.resolve()
    expect((await logged).text()).toBe('logout was answered with 500')
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('alert')).toHaveText('Su sesión se cerró.')
  })
})

test.describe('session check of an open page', () => {
  test.beforeEach(async ({ signedInAs }) => void (await signedInAs('CLERK')))

  test('§4 "Session check on protected routes: while loading a spinner shows"', async ({
    page,
  }) => {
    await openPage(page)
    const arrival = Promise.withResolvers<void>()
    await page.route('**/api/v1/auth/session/validate', async (route) => {
      await arrival.promise
      await route.continue()
    })
    await returnToTab(page)
    const spinner = page.getByText('Comprobando la sesión…')
    await expect(spinner).toBeVisible()
    arrival.resolve()
    await expect(spinner).toHaveCount(0)
  })

  test('§4 "no data and not loading shows a spinner"', async ({ page }) => {
    await openPage(page)
    await answerCall(page, 'session/validate', 200)
    const answered = page.waitForResponse('**/api/v1/auth/session/validate')
    await returnToTab(page)
    await (await answered).finished()
    const spinner = page.getByText('Comprobando la sesión…')
    await expect(spinner).toBeVisible()
    await page.unroute('**/api/v1/auth/session/validate')
    await returnToTab(page)
    await expect(spinner).toHaveCount(0)
    await expect(page).toHaveURL('/dashboard')
  })

  for (const status of [401, 403])
    test(`§4 "an error with status 401 or 403 redirects to /login keeping the original location": ${status}`, async ({
      page,
    }) => {
      await openPage(page, '/dashboard/audit?page=1')
      await answerCall(page, 'session/validate', status)
      await answerCall(page, 'refresh', 401)
      await stayOnPage(page)
      const went = page.waitForRequest('**/login?*')
      await returnToTab(page)
      const { searchParams } = new URL((await went).url())
      expect(searchParams.get('returnUrl')).toBe('/dashboard/audit?page=1')
    })

  test('§4 "valid false redirects to /login"', async ({ page }) => {
    await openPage(page)
    await answerCall(page, 'session/validate', 200, { valid: false, user: null })
    await stayOnPage(page)
    const went = page.waitForRequest('**/login?*')
    await returnToTab(page)
    await went
  })
})

test.describe('§4 "On a 401 response, …"', () => {
  test.beforeEach(async ({ page, signedInAs }) => {
    await signedInAs('CLERK')
    await openPage(page)
    await stayOnPage(page)
  })

  test('"if a refresh_token cookie exists, a refresh is posted and the original request is retried once if the refresh returns data", §7 "refreshTokenRequest (empty object on automatic refresh)"', async ({
    page,
  }) => {
    const calls = callsOf(page)
    await answerCall(page, 'session/validate', 401)
    await answerCall(page, 'refresh', 200, { user: USER })
    const posted = page.waitForRequest('**/api/v1/auth/refresh')
    const went = page.waitForRequest('**/login?*')
    await returnToTab(page)
    expect((await posted).method()).toBe('POST')
    expect((await posted).postData()).toBe('{}')
    await went
    expect(calls).toEqual(['session/validate 401', 'refresh 200', 'session/validate 401'])
  })

  for (const [how, status] of [
    ['it fails', 401],
    ['it returns no data', 200],
  ] as const)
    test(`"otherwise, or if the refresh fails, the session-expired flow runs": ${how}`, async ({
      page,
    }) => {
      const calls = callsOf(page)
      await answerCall(page, 'session/validate', 401)
      await answerCall(page, 'refresh', status)
      const went = page.waitForRequest('**/login?*')
      await returnToTab(page)
      await went
      expect(calls).toEqual(['session/validate 401', `refresh ${status}`])
    })

  test('"It clears the MFA state, shows a warning and redirects to login", §8 "401 after failed or impossible refresh: warning "Su sesión ha expirado. …" for 6000 ms, then redirect to login"', async ({
    page,
    context,
  }) => {
    await stopClock(page)
    await openPage(page)
    const calls = callsOf(page)
    await context.clearCookies({ name: 'refresh_token' })
    await answerCall(page, 'session/validate', 401)
    const went = page.waitForRequest('**/login?*')
    await returnToTab(page)
    await went
    expect(calls).toEqual(['session/validate 401'])
    expect(await clientState(page)).toMatchObject({
      requiresMFA: false,
      mfaSessionToken: null,
      notifications: [{ type: 'warning', message: EXPIRED, duration: 6000 }],
    })
    await page.clock.runFor(5_999)
    await expect(messageOn(page, true)).toHaveText(EXPIRED)
    await page.clock.runFor(1)
    await expect(messageOn(page, true)).toHaveCount(0)
  })
})

test('§4 "On a 401 response, except for the login, WebAuthn authenticate and verify-mfa calls": what they refuse is said where it was asked', async ({
  page,
  rows,
  newcomer,
}) => {
  const calls = callsOf(page)
  await page.goto('/login')
  await signIn(page, { ...newcomer, password: 'no es esta contraseña' })
  await expect(page.getByRole('alert')).toHaveText('El correo o la contraseña no son correctos.')
  insertKey(rows, newcomer)
  await signIn(page, newcomer)
  await expect(page).toHaveURL(/\/mfa/)
  await answerCall(page, 'webauthn/authenticate/begin', 401)
  // The script asks its own page for the next step.
  const again = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/mfa')
  await inMain(page).button('Usar llave de seguridad').click()
  expect((await again).status()).toBe(200)
  await expect(page).toHaveURL(/\/mfa/)
  expect(calls).toEqual(['webauthn/authenticate/begin 401'])
})

test('§7 "All calls include credentials. The value of the csrftoken cookie, when present, is sent as the X-CSRFToken header. The API prefix is /api/v1 on the site root"', async ({
  page,
  demo,
  context,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await openPage(page)
  const csrf = (await context.cookies()).find(({ name }) => name === 'csrftoken')?.value
  const sent = async () => {
    const asked = page.waitForRequest(`${demo.origin}/api/v1/auth/session/validate`)
    await returnToTab(page)
    return (await asked).allHeaders()
  }
  const headers = await sent()
  expect(headers['x-csrftoken']).toBe(csrf)
  expect(headers.cookie).toContain('__Host-session=')
  await context.clearCookies({ name: 'csrftoken' })
  expect(await sent()).not.toHaveProperty('x-csrftoken')
})

test.describe('§8 "Non-401 errors show a notification for 5000 ms"', () => {
  test.beforeEach(async ({ page, signedInAs }) => {
    await signedInAs('CLERK')
    await stopClock(page)
    await openPage(page)
  })

  for (const [condition, message, type] of [
    ['Network failure', 'Error de conexión. Por favor, verifique su conexión a internet.', 'error'],
    ['404', 'El recurso solicitado no fue encontrado.', undefined],
    ['500', 'Error del servidor. Por favor, intente más tarde.', undefined],
    ['any other status', 'Ocurrió un error inesperado. Por favor, intente nuevamente.', undefined],
  ] as const)
    test(`"${condition} | ${message} | ${type ?? 'not shown'}"`, async ({ page }) => {
      const status = condition === 'any other status' ? 418 : Number(condition)
      await page.route('**/api/v1/auth/session/validate', (route) =>
        status ? route.fulfill({ status }) : route.abort(),
      )
      await returnToTab(page)
      await expect(messageOn(page, true)).toHaveText(message)
      const [toast] = (await clientState(page)).notifications
      expect(toast).toMatchObject({ message, duration: 5000, ...(type && { type }) })
      await page.clock.runFor(4_999)
      await expect(messageOn(page, true)).toBeVisible()
      await page.clock.runFor(1)
      await expect(messageOn(page, true)).toHaveCount(0)
    })

  test('"403 | No tiene permisos para realizar esta acción. | warning"', async ({ page }) => {
    await page.route('**/dashboard/audit.data*', (route) => route.fulfill({ status: 403 }))
    await page.getByRole('navigation', { name: 'Principal' }).getByText('Auditoría').click()
    await expect(messageOn(page, true)).toHaveText('No tiene permisos para realizar esta acción.')
    const [toast] = (await clientState(page)).notifications
    expect(toast).toMatchObject({ type: 'warning', duration: 5000 })
    await page.clock.runFor(4_999)
    await expect(messageOn(page, true)).toBeVisible()
    await page.clock.runFor(1)
    await expect(messageOn(page, true)).toHaveCount(0)
  })
})
