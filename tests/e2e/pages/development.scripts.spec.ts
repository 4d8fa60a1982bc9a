import { createServer } from 'node:net'
import type { Page } from '@playwright/test'
import { test as base, expect, fillSigning, inMain } from '#tests/e2e/support/fixtures.ts'
import { send } from '#tests/e2e/support/http.ts'
import {
  type DevelopmentServer,
  startDevelopmentServer,
} from '#tests/support/processes/development-server.ts'

const test = base.extend<object, { dev: DevelopmentServer }>({
  dev: [
    async ({}, use) => {
      const dev = await startDevelopmentServer()
      await use(dev)
      await dev.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  demo: async ({ dev }, use) => {
    await use(dev.demo)
  },
})

// These tests change the sources of one server. It starts within seconds, but may take a minute on a busy machine.
test.describe.configure({ mode: 'serial', timeout: 120_000 })

/** Resolves when a page has loaded and listens for changes. It would miss an earlier one. */
const watchLog = (page: Page) =>
  page.waitForEvent('console', {
    predicate: (message) => message.text() === '[vite] connected.',
    timeout: 60_000,
  })

async function visit(page: Page, address: string): Promise<void> {
  const listens = watchLog(page)
  await page.goto(address)
  await listens
}

/** Leaves a mark in the page that a reload removes. */
const mark = (page: Page) => page.evaluate(() => document.body.setAttribute('data-mark', ''))
const isMarked = (page: Page) => page.evaluate(() => document.body.hasAttribute('data-mark'))

/** Makes a change and waits until the open page has reloaded by itself. */
async function reloadedBy(page: Page, change: () => void): Promise<void> {
  await mark(page)
  const listens = watchLog(page)
  change()
  await listens
  expect(await isMarked(page)).toBe(false)
}

/** React leaves its own names on the elements that it has taken over. */
const isHydrated = (page: Page) =>
  page.evaluate(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
  )

test('dev: a page that does not hydrate has its styles and reloads when a source changes', async ({
  page,
  dev,
}) => {
  await visit(page, '/login')
  const submit = inMain(page).button('Iniciar Sesión')
  await expect(submit).toHaveCSS('background-color', 'rgb(11, 107, 75)')

  await reloadedBy(page, () =>
    dev.edit('app/routes/auth/login.tsx', '¿Olvidó su contraseña?', '¿No recuerda su contraseña?'),
  )
  await expect(page.getByText('¿No recuerda su contraseña?')).toBeVisible()

  await reloadedBy(page, () =>
    dev.edit(
      'app/ui/frame/standalone-sheet.module.css',
      '.page {',
      '.page {\n  outline: 3px solid;',
    ),
  )
  await expect(page.locator('body > div').first()).toHaveCSS('outline-width', '3px')
})

test('dev: a page that hydrates shows a change and keeps its state', async ({
  page,
  dev,
  signedInAs,
}) => {
  await signedInAs('titular')
  await visit(page, '/dashboard/documents')
  await expect.poll(() => isHydrated(page)).toBe(true)
  const search = page.getByLabel('Buscar documentos')
  await search.fill('Escritura')
  await mark(page)

  dev.edit('app/routes/documents/list.tsx', 'title="Documentos"', 'title="Los documentos"')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Los documentos')
  await expect(search).toHaveValue('Escritura')
  expect(await isMarked(page)).toBe(true)
})

test('dev: an open page shows why a module of its loader does not compile, until it does', async ({
  page,
  dev,
  signedInAs,
  faults,
}) => {
  await signedInAs('titular')
  await visit(page, '/dashboard/documents')
  await expect.poll(() => isHydrated(page)).toBe(true)
  const overlay = page.locator('vite-error-overlay')

  dev.edit('app/http/documents/document-row.ts', 'const { id,', 'const { id::')
  await expect(overlay.getByText('document-row.ts').first()).toBeVisible()
  dev.edit('app/http/documents/document-row.ts', 'const { id::', 'const { id,')
  await expect(overlay).toHaveCount(0)
  // The browser logs the failed request for the data.
  const others = faults.filter((fault) => !/status of 500/.test(fault))
  faults.splice(0, faults.length, ...others)
})

test('dev: the e.firma signs in the page', async ({ page, signedInAs, uploadedDeed }) => {
  const deed = await uploadedDeed()
  const notary = await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await fillSigning(page, notary)
  await inMain(page).button('Firmar documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
  await expect(inMain(page).text('Firmado')).toBeVisible()
})

test('dev: listens on loopback only and serves source files only', async ({ dev }) => {
  // If a process listened on all addresses, no other address of the port would be free.
  const other = createServer()
  await new Promise<void>((resolve, reject) =>
    other.once('error', reject).listen(dev.port, '127.0.0.2', resolve),
  )
  await new Promise((resolve) => other.close(resolve))

  const statusOf = async (path: string) => (await send(`${dev.demo.origin}${path}`)).status
  expect(await statusOf('/app/root.tsx')).toBe(200)
  expect(await statusOf(`/@fs${dev.checkout}/data/dev/rubrica.sqlite`)).toBe(403)
  expect(await statusOf('/data/dev/rubrica.sqlite')).toBe(403)
  expect(await statusOf('/package.json')).toBe(403)
  const headers = { Host: 'rubrica.example' }
  expect((await send(`${dev.demo.origin}/app/root.tsx`, { headers })).status).toBe(421)
})

test('dev: the policy additionally allows only the socket of Vite', async ({ dev }) => {
  const { headers } = await send(`${dev.demo.origin}/login`)
  const policy = String(headers['content-security-policy'])
  const added = `connect-src 'self' ws://localhost:${dev.port}; worker-src blob:`
  expect(policy).toContain(added)
  expect(policy.replace(added, "connect-src 'self'").replace(/'nonce-[^']+'/g, "'nonce'")).toBe(
    [
      "default-src 'none'",
      "script-src 'nonce' 'strict-dynamic'",
      "style-src 'self' 'nonce'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  )
})

test('dev: a change in server/ restarts the server, and open pages reload', async ({
  page,
  dev,
  faults,
}) => {
  const refusal = async () => {
    const answer = await send(`${dev.demo.origin}/login`, { method: 'PATCH' })
    return /role="alert">([^<]+)/.exec(answer.text)?.[1]
  }
  expect(await refusal()).toBe('Método no permitido.')
  await visit(page, '/login')
  await reloadedBy(page, () =>
    dev.edit('server/words/plain-answers.ts', "'Método no permitido.'", "'Ese método no existe.'"),
  )
  expect(await refusal()).toBe('Ese método no existe.')
  // While nothing listens the browser logs each attempt to connect.
  const others = faults.filter((fault) => !/^WebSocket connection to/.test(fault))
  faults.splice(0, faults.length, ...others)
})

test('dev: the server waits for the code of a migration that the database has', async ({ dev }) => {
  const answers = async () =>
    (await fetch(`${dev.demo.origin}/login`).catch(() => undefined))?.status === 200
  dev.edit('server/db/migrate.ts', "  '0022-parties': createParties,", '  // removed')
  await expect.poll(dev.output).toContain('Vuelva a la rama que lo tiene')
  expect(await answers()).toBe(false)
  dev.edit('server/db/migrate.ts', '  // removed', "  '0022-parties': createParties,")
  await expect.poll(answers).toBe(true)
})
