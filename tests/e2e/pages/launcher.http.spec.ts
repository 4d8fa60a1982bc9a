import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort } from '#tests/support/processes/server-process.ts'

/** Whether a server listens on this port. */
const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

for (const command of ['start', 'dev'])
  test(`npm run ${command}: the server ends when npm is ended`, async () => {
    test.slow()
    const dataFolder = mkdtempSync(path.join(tmpdir(), 'rubrica-npm-'))
    const port = await freePort()
    const { PATH, HOME } = process.env
    const environment = { PATH, HOME, DATA_DIR: dataFolder, PORT: String(port) }
    const npm = spawn('npm', ['run', command], { env: environment, stdio: 'ignore' })
    const gone = new Promise((resolve) => npm.once('exit', resolve))
    try {
      await expect.poll(() => listens(port), { timeout: 60_000 }).toBe(true)
      npm.kill('SIGTERM')
      await gone
      await expect.poll(() => listens(port), { timeout: 20_000 }).toBe(false)
    } finally {
      npm.kill('SIGKILL')
      rmSync(dataFolder, { recursive: true, force: true })
    }
  })

for (const command of ['demo', 'start', 'dev'])
  test(`npm run ${command}: --help explains it, and another option is refused before anything starts`, () => {
    const launch = (option: string) =>
      spawnSync(process.execPath, ['server/run.mjs', command, option], {
        encoding: 'utf8',
        timeout: 20_000,
      })
    const help = launch('--help')
    expect(help.stdout).toContain('Se configuran con variables de entorno')
    expect(help.status).toBe(0)
    const refused = launch('--port=80')
    expect(refused.stderr).toContain('--port=80 no se reconoce.')
    expect(refused.status).toBe(2)
  })
