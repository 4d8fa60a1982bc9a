import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { PART_BYTES } from '#server/domain/documents/resumable-upload.ts'
import { type BreakingProxy, startBreakingProxy } from '#tests/e2e/support/breaking-proxy.ts'
import { openPage } from '#tests/e2e/support/client-state.ts'
import { aTitle, downloadVersion, idIn, sha256Of } from '#tests/e2e/support/deeds.ts'
import { test as base, expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { type DemoServer, startDemoServer } from '#tests/support/processes/demo-server.ts'

/* The browser reaches the server through a connection that breaks, and the server itself is killed. */

type Fixtures = {
  server: DemoServer
  wire: BreakingProxy
  /** In a browser that knows the address of the server, and connects to the wire. */
  behind: Page
  /** A PDF of six parts on the disk: chosen twice, it has the same date. */
  deed: { file: string; title: string; bytes: Uint8Array }
}

const SIZE = 5 * PART_BYTES + 1_000_000

const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    const server = await startDemoServer()
    await use(server)
    await server.stop()
  },
  wire: async ({ server }, use) => {
    const wire = await startBreakingProxy(Number(new URL(server.demo.origin).port))
    await use(wire)
    await wire.close()
  },
  behind: async ({ server, wire, playwright, launchOptions }, use) => {
    const { host, origin } = new URL(server.demo.origin)
    const rule = `--host-resolver-rules=MAP ${host} 127.0.0.1:${wire.port}`
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), rule],
    })
    const page = await browser.newPage({ baseURL: origin, locale: 'es-MX' })
    const clerk = server.demo.users.find(({ roles }) => roles.includes('CLERK'))
    if (!clerk) throw new Error('the demo has no clerk')
    await page.goto('/login')
    await signIn(page, clerk)
    await expect(page).toHaveURL('/dashboard')
    await openPage(page, '/dashboard/documents/new')
    await use(page)
    await browser.close()
  },
  deed: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-deed-'))
    const title = aTitle('Poder')
    const bulk = randomBytes(SIZE / 2).toString('hex')
    const bytes = pdfWithTable({
      ...bodiesWithPages(2),
      90: `<</Length ${bulk.length}>>\nstream\n${bulk}\nendstream`,
    })
    const file = path.join(folder, `${title}.pdf`)
    writeFileSync(file, bytes)
    await use({ file, title, bytes })
    rmSync(folder, { recursive: true, force: true })
  },
})

/** Whether the only document with this title has these bytes. */
async function mustBeStored(page: Page, { demo }: DemoServer, deed: Fixtures['deed']) {
  const { main } = inMain(page)
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(deed.title)
  const clerk = demo.users.find(({ roles }) => roles.includes('CLERK'))
  const client = await signedInClient(demo.origin, clerk as NonNullable<typeof clerk>)
  const stored = await downloadVersion(client, { id: idIn(page.url()) }, 1)
  expect(sha256Of(stored)).toBe(sha256Of(deed.bytes))
  const { text } = await client.get(`/dashboard/documents?text=${encodeURIComponent(deed.title)}`)
  expect(text.match(/href="\/dashboard\/documents\/[0-9a-f-]{36}"/g)).toHaveLength(1)
}

/** So many bytes that were sent in vain, beside the file itself. */
const IN_VAIN = 2 * PART_BYTES

test('broken connection in the middle: said, resumed by itself, one document with the same bytes', async ({
  behind: page,
  server,
  wire,
  deed,
}) => {
  test.slow()
  const { field, button, main } = inMain(page)
  await field('Archivo PDF').setInputFiles(deed.file)
  const before = wire.sent()
  const broken = wire.after(2.5 * PART_BYTES, () => wire.break())
  await button('Subir').click()
  await broken
  await expect(main.getByText('Sin conexión')).toBeVisible()
  await expect(main.getByRole('progressbar', { name: 'Avance de la subida' })).toBeVisible()
  wire.mend()
  await mustBeStored(page, server, deed)
  expect(wire.sent() - before).toBeLessThan(deed.bytes.length + IN_VAIN)
})

test('server killed in the middle: resumed when it is back, one document with the same bytes', async ({
  behind: page,
  server,
  wire,
  deed,
}) => {
  test.slow()
  const { field, button, main } = inMain(page)
  await field('Archivo PDF').setInputFiles(deed.file)
  const before = wire.sent()
  let killed: Promise<void> | undefined
  const hit = wire.after(3.5 * PART_BYTES, () => {
    killed = server.kill()
  })
  await button('Subir').click()
  await hit
  await killed
  await expect(main.getByText('Sin conexión')).toBeVisible()
  await server.restart()
  await mustBeStored(page, server, deed)
  expect(wire.sent() - before).toBeLessThan(deed.bytes.length + IN_VAIN)
})

test('pause and reload: the same file, chosen again, goes on where it stopped', async ({
  behind: page,
  server,
  wire,
  deed,
}) => {
  test.slow()
  const { field, button, main } = inMain(page)
  await field('Archivo PDF').setInputFiles(deed.file)
  const broken = wire.after(3.5 * PART_BYTES, () => wire.break())
  await button('Subir').click()
  await broken
  await button('Pausar').click()
  await expect(main.getByText('En pausa')).toBeVisible()
  wire.mend()
  await openPage(page, '/dashboard/documents/new')
  await field('Archivo PDF').setInputFiles(deed.file)
  const before = wire.sent()
  await button('Subir').click()
  await mustBeStored(page, server, deed)
  // Three parts were there already.
  expect(wire.sent() - before).toBeLessThan(deed.bytes.length - 2 * PART_BYTES)
})
