import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { send } from '#tests/e2e/support/http.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const LOGGER = path.join(root, 'tests/support/processes/log-modules.ts')

test('start: loads no module of development, demo or tests, and neither serves nor allows Vite', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-modules-'))
  const MODULE_LOG = path.join(folder, 'modules')
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await startServer('start', {
    PORT: String(port),
    MODULE_LOG,
    NODE_OPTIONS: `--import=${LOGGER}`,
  })
  try {
    const page = await send(`${origin}/login`)
    expect(page.status).toBe(200)
    expect(page.text).not.toMatch(/vite|server\/dev/)
    expect(page.headers['content-security-policy']).not.toMatch(/ws:|blob:|worker-src/)
    expect((await send(`${origin}/@vite/client`)).status).toBe(404)
    expect((await send(`${origin}/server/dev/reload-page.ts`)).status).toBe(404)

    const modules = readFileSync(MODULE_LOG, 'utf8').split('\n')
    expect(
      modules.filter((url) => /\/(?:server\/main\.ts|build\/server\/index\.js)$/.test(url)),
    ).toHaveLength(2)
    expect(
      modules.filter((url) =>
        /node_modules\/(?:vite|rolldown|@react-router\/dev)\/|\/server\/(?:dev|demo)\/|\/tests\//.test(
          url,
        ),
      ),
    ).toEqual([])
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('build: contains no development code', () => {
  const files = readdirSync(path.join(root, 'build'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|css)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
  expect(files.some((file) => file.endsWith('server/index.js'))).toBe(true)
  const marked = files.filter((file) =>
    /reload-page|import\.meta\.hot|@vite\/client/.test(readFileSync(file, 'utf8')),
  )
  expect(marked).toEqual([])
})
