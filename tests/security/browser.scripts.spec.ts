import { openPage } from '#tests/e2e/support/client-state.ts'
import { test as base, expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import {
  DASHBOARD_STOPS,
  isOfStaff,
  PUBLIC_STOPS,
  type Stop,
  stopsOf,
} from '#tests/e2e/support/site-map.ts'
import { type Demo, WITHOUT_DEMO } from '#tests/support/processes/demo-server.ts'
import { freePort } from '#tests/support/processes/server-process.ts'
import { startOffice } from '#tests/support/processes/started-server.ts'

/** An office that was activated for real use, at an address of this machine that a browser can open. */
const test = base.extend<object, { started: Demo }>({
  started: [
    async ({}, use) => {
      const port = String(await freePort())
      const { server, users } = await startOffice({ PORT: port })
      const origin = `http://localhost:${port}`
      await use({ origin, users, ...WITHOUT_DEMO })
      await server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  demo: async ({ started }, use) => use(started),
})

test('V1.3.2 CSP: no page violates its policy in a browser', async ({
  page,
  context,
  signedInAs,
  uploadedDeed,
  faults,
}) => {
  test.slow()
  const deed = await uploadedDeed()
  const violations: string[] = []
  await page.exposeFunction('tellViolation', (what: string) => void violations.push(what))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { tellViolation } = window as unknown as { tellViolation(what: string): void }
      tellViolation(`${event.violatedDirective} ${event.blockedURI} ${location.pathname}`)
    })
  })
  const open = async (stops: readonly Stop[]) => {
    for (const { path, title } of stops) {
      await page.goto(path)
      await expect(page).toHaveTitle(title)
    }
  }
  await open(PUBLIC_STOPS)
  await signedInAs('administrador')
  await open(DASHBOARD_STOPS.filter((stop) => !isOfStaff(stop)))
  await signedInAs('titular')
  await open([
    ...DASHBOARD_STOPS.filter(isOfStaff),
    ...stopsOf(deed),
    { path: '/setup-mfa', title: 'Configurar verificación en dos pasos · Rúbrica' },
    { path: '/change-password', title: 'Cambiar contraseña · Rúbrica' },
  ])
  expect(violations).toEqual([])
  // And this would be seen.
  await page.evaluate(() => {
    const image = document.createElement('img')
    image.setAttribute('src', 'https://evil.example/x.png')
    document.body.append(image)
  })
  await expect
    .poll(() => violations)
    .toEqual(['img-src https://evil.example/x.png /change-password'])
  expect(faults.splice(0)).toHaveLength(1)
})

test('V14.3.1 sign-out: the back button shows no page of the session', async ({
  page,
  signedInAs,
  person,
}) => {
  await signedInAs('titular')
  await page.goto('/dashboard/users')
  const name = person('suplente').lastName
  await expect(page.getByRole('main')).toContainText(name)
  await page.goto('/dashboard/profile')
  await page
    .getByRole('button', { name: /^(?:Menú de la cuenta|Mi cuenta)/ })
    .or(page.locator('header summary').last())
    .first()
    .click()
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()
  await page.waitForURL(/\/login/)
  for (let step = 0; step < 2; step += 1) {
    await page.goBack()
    await page.waitForURL(/\/login/)
    await expect(inMain(page).button('Iniciar Sesión')).toBeVisible()
    await expect(page.locator('body')).not.toContainText(name)
  }
})

test('V14.3.3 browser storage: no page stores personal data', async ({ page, person }) => {
  await page.goto('/login')
  await signIn(page, person('LAWYER'))
  await page.waitForURL('/dashboard')
  for (const { path } of DASHBOARD_STOPS.slice(0, 6)) await page.goto(path)
  await openPage(page)
  await page.getByRole('link', { name: 'Usuarios' }).click()
  await expect(inMain(page).main).toContainText(person('suplente').lastName)
  const stored = await page.evaluate(async () => ({
    local: Object.entries(localStorage),
    session: Object.entries(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker?.getRegistrations())?.length ?? 0,
    cookies: document.cookie.split('; ').map((pair) => pair.split('=')[0]),
  }))
  expect(stored.local).toEqual([])
  expect(stored.session).toEqual([])
  const text = JSON.stringify(stored)
  const { email, lastName, password } = person('LAWYER')
  for (const secret of [email, lastName, password]) expect(text).not.toContain(secret)
  expect(stored.databases).toEqual([])
  expect(stored.caches).toEqual([])
  expect(stored.workers).toBe(0)
  expect(stored.cookies.toSorted()).toEqual(['csrftoken', 'refresh_token'])
})
