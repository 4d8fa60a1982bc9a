import { createServer } from 'node:net'
import type { Page } from '@playwright/test'
import { send } from '#tests/e2e/support/http.ts'
import { expect, fillSigning, inMain, test as story } from '#tests/e2e/support/story.ts'
import {
  type DevelopmentServer,
  startDevelopmentServer,
} from '#tests/support/processes/development-server.ts'

const test = story.extend<object, { dev: DevelopmentServer }>({
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

// They change the sources of one server.
test.describe.configure({ mode: 'serial' })

/** React leaves its own names on the elements that it has taken over. */
const isHydrated = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() =>
        Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
      ),
    )
    .toBe(true)

/** Leaves a mark that a reload removes. */
const mark = (page: Page) => page.evaluate(() => document.body.setAttribute('data-mark', ''))
const isMarked = (page: Page) => page.evaluate(() => document.body.hasAttribute('data-mark'))

test('dev: a page that does not hydrate has its styles and reloads when its source changes', async ({
  page,
  dev,
}) => {
  await page.goto('/login')
  const { button } = inMain(page)
  await expect(button('Iniciar Sesión')).toHaveCSS('background-color', 'rgb(11, 107, 75)')
  const hint = page.getByText('¿Olvidó su contraseña?')
  await expect(hint).toBeVisible()
  await mark(page)
  dev.edit('app/routes/auth/login.tsx', '¿Olvidó su contraseña?', '¿No recuerda su contraseña?')
  await expect(page.getByText('¿No recuerda su contraseña?')).toBeVisible()
  expect(await isMarked(page)).toBe(false)

  dev.edit('app/ui/frame/standalone-sheet.module.css', '.page {', '.page {\n  outline: 3px solid;')
  await expect(page.locator('body > div').first()).toHaveCSS('outline-width', '3px')
})

test('dev: a page that hydrates takes a change over and keeps its state', async ({
  page,
  dev,
  signedInAs,
}) => {
  await signedInAs('titular')
  await page.goto('/dashboard/documents')
  const search = page.getByLabel('Buscar documentos')
  await isHydrated(page)
  await search.fill('Escritura')
  await mark(page)
  dev.edit('app/routes/documents/list.tsx', 'title="Documentos"', 'title="Los documentos"')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Los documentos')
  await expect(search).toHaveValue('Escritura')
  expect(await isMarked(page)).toBe(true)
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

test('dev: listens on loopback only and serves no file but sources', async ({ dev }) => {
  // Where something listens on every address, no other address of the port is free.
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
  await page.goto('/login')
  await mark(page)
  dev.edit('server/web/front-door.ts', "'Método no permitido.'", "'Ese método no existe.'")
  await expect.poll(() => isMarked(page).catch(() => true), { timeout: 60_000 }).toBe(false)
  expect(await refusal()).toBe('Ese método no existe.')
  // While nothing listens the browser logs each attempt to connect.
  const others = faults.filter((fault) => !/^WebSocket connection to/.test(fault))
  faults.splice(0, faults.length, ...others)
})
