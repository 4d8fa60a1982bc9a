import type { Page } from '@playwright/test'
import { expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'
import { connectedKey, type VirtualKey } from '#tests/e2e/support/virtual-key.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'

/*
 * Security keys simulated by Chromium, in an office of their own: users with a key cannot sign in without it, and
 * other tests sign in without one.
 *
 * @see https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/
 */
const test = withOwnOffice().extend<{ key: VirtualKey }>({
  key: async ({ page }, use) => {
    await use(await connectedKey(page))
  },
})

const KEY_BUTTON = 'Usar llave de seguridad'

test('security key: is registered and then completes the sign-in', async ({
  page,
  key,
  person,
}) => {
  const { button, main, field } = inMain(page)
  const titular = person('titular')
  await page.goto('/login')
  await signIn(page, titular)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/setup-mfa')
  await main.getByRole('link', { name: /^Llave de seguridad/ }).click()
  await field('Nombre de la llave').fill('Llave de la caja fuerte')
  await button(KEY_BUTTON).click()

  await expect(page).toHaveURL(/\/setup-mfa\/backup-codes/)
  await expect(main.getByRole('listitem')).toHaveCount(10)
  await button('Continuar').click()
  await expect(page).toHaveURL('/dashboard')
  expect(await keysOf(page)).toMatchObject([{ name: 'Llave de la caja fuerte', state: 'ACTIVE' }])
  const [before] = await key.held()

  const wanted = '/dashboard/documents'
  await signInAgain(page, titular, `/login?returnUrl=${encodeURIComponent(wanted)}`)
  await page.goto(wanted)
  await expect(page).toHaveURL(/\/login/)
  await page.goto(`/mfa?returnUrl=${encodeURIComponent(wanted)}`)
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL(wanted)
  const [after] = await key.held()
  expect(after?.signCount).toBeGreaterThan(before?.signCount ?? 0)

  // If the password was accepted too long ago, the page redirects to it instead of showing a dead button.
  await signInAgain(page, titular)
  await page.context().clearCookies()
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL(/\/login/)
})

test('security key: cannot be registered twice', async ({ page, key, person }) => {
  const { button, main } = inMain(page)
  await registered(page, person('suplente'))
  await page.goto('/setup-mfa/key')
  await button(KEY_BUTTON).click()
  await expect(main.getByRole('alert')).toHaveText(
    'Esta llave ya está registrada en su cuenta. Conecte otra.',
  )
  expect(await key.held()).toHaveLength(1)
  expect(await keysOf(page)).toHaveLength(1)
})

test('security key: after cancelling, the page says what to do and allows another try', async ({
  page,
  person,
}) => {
  const { button, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, person('LAWYER'))
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/setup-mfa/key')
  await page.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    Object.defineProperty(navigator.credentials, 'create', { value: refuse })
  })
  for (const _ of [1, 2]) {
    await button(KEY_BUTTON).click()
    await expect(main.getByRole('alert')).toContainText('se canceló o pasó el tiempo')
    await expect(main.getByRole('status')).toBeHidden()
  }
  await expect(page).toHaveURL('/setup-mfa/key')
  expect(await keysOf(page)).toEqual([])
})

test('security key: a removed key is refused', async ({ page, key, person }) => {
  const { button, main } = inMain(page)
  const clerk = person('CLERK')
  await registered(page, clerk)
  const removed = await key.pullOut()
  const other = await connectedKey(page)
  await page.goto('/setup-mfa/key')
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL('/dashboard')
  const keys = await keysOf(page)
  expect(keys).toHaveLength(2)
  await removeKey(page, keys[0]!)
  expect(await keysOf(page)).toHaveLength(1)

  const kept = await other.pullOut()
  const old = await connectedKey(page, removed)
  await signInAgain(page, clerk)
  await button(KEY_BUTTON).click()
  await expect(main.getByRole('alert')).toContainText('no es una de las suyas')
  await old.pullOut()
  await connectedKey(page, kept)
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL('/dashboard')
})

test('security key: a counter that went back marks the key as suspect and asks for another factor', async ({
  page,
  key,
  person,
}) => {
  const { button, main, field } = inMain(page)
  const administrator = person('administrador')
  await registered(page, administrator)
  await signInAgain(page, administrator)
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL('/dashboard')

  const [original] = await key.pullOut()
  await connectedKey(page, [{ ...original!, signCount: 0 }])
  await signInAgain(page, administrator)
  await button(KEY_BUTTON).click()
  await expect(main.getByRole('alert')).toContainText('La llave no se aceptó.')
  await page.goto('/mfa')
  await expect(button(KEY_BUTTON)).toHaveCount(0)
  await expect(field('Código de respaldo')).toBeVisible()
})

test('security key: a copied key is accepted and logged', async ({ page, person }) => {
  const auditor = person('AUDITOR')
  const { button } = inMain(page)
  const key = await connectedKey(page, [], { defaultBackupEligibility: true })
  await registered(page, auditor)
  expect(await keysOf(page)).toMatchObject([{ isBackedUp: false, state: 'ACTIVE' }])
  const [held] = await key.held()
  await key.isCopied(held?.credentialId ?? '', true)
  await signInAgain(page, auditor)
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL('/dashboard')
  expect(await keysOf(page)).toMatchObject([{ isBackedUp: true, state: 'ACTIVE' }])
  await page.goto('/dashboard/audit')
  await expect(page.getByText('Anomalía en una llave de seguridad').first()).toBeVisible()
})

test('security key: confirming the identity requires user verification', async ({
  page,
  key,
  person,
}) => {
  const { button, main } = inMain(page)
  await registered(page, person('LAWYER'))
  // A key, or a browser, that does less than it was asked for.
  await key.concealsVerification(true)
  await page.goto('/step-up')
  await button(KEY_BUTTON).click()
  await expect(main.getByRole('alert')).toContainText('La llave no se aceptó.')
  await key.concealsVerification(false)

  await key.verifies(false)
  await button(KEY_BUTTON).click()
  await expect(main.getByRole('alert')).toContainText('se canceló')
  await key.verifies(true)
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL('/dashboard')
})

/** Signs in with the password and registers the connected key. */
async function registered(page: Page, user: DemoUser): Promise<void> {
  const { button } = inMain(page)
  await page.goto('/login')
  await signIn(page, user)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/setup-mfa/key')
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL(/\/setup-mfa\/backup-codes/)
  await button('Continuar').click()
  await expect(page).toHaveURL('/dashboard')
}

/** As from another day: the browser has forgotten everything. */
async function signInAgain(page: Page, user: DemoUser, way = '/login'): Promise<void> {
  await page.context().clearCookies()
  await page.goto(way)
  await signIn(page, user)
  await expect(page).toHaveURL(/\/mfa/)
}

type ListedKey = { id: string; name: string; state: string; isBackedUp: boolean }

async function keysOf(page: Page): Promise<ListedKey[]> {
  const response = await page.request.get('/api/v1/auth/webauthn/credentials')
  expect(response.status()).toBe(200)
  return (await response.json()).credentials
}

/** As a program does. */
async function removeKey(page: Page, { id }: ListedKey): Promise<void> {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === 'csrftoken')?.value ?? ''
  const headers = { 'X-CSRFToken': token }
  const response = await page.request.delete(`/api/v1/auth/webauthn/credentials/${id}`, { headers })
  expect(response.status()).toBe(204)
}
