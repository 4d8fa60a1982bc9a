import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { sqliteRows } from '#tests/support/processes/office-rows.ts'
import {
  nothingYet,
  signersOf,
  signRemaining,
  workOf,
} from '#tests/support/processes/office-work.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'
import { faultsOf } from '#tests/support/processes/sound-office.ts'

/*
 * The production server is killed at random moments while several users sign, and restarted on the same data. Each
 * step between two writes has its own test (killed.test.ts); this one covers them together. `npm run campaign -- killed`
 * does it a thousand times, also on PostgreSQL and on a full disk.
 */

const ROUNDS = 4
/** After the first signature: about the duration of the next one. */
const LONGEST_LIFE_MS = 700

let dataFolder: string
test.beforeAll(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'rubrica-killed-server-'))
})
test.afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

test('killed server: acknowledged work survives, and interrupted signers continue', async () => {
  test.setTimeout(240_000)
  const PORT = String(await freePort())
  const begin = () => startServer('demo', { PORT, DATA_DIR: dataFolder })
  const withRows = sqliteRows(dataFolder)
  const first = await begin()
  const signers = await signersOf(`http://localhost:${PORT}`, dataFolder, withRows)
  await first.stop()

  const done = nothingYet()
  for (let round = 0; round < ROUNDS; round++) {
    const server = await begin()
    const isOver = { value: false }
    const before = done.signed.length
    const work = Promise.allSettled(workOf(signers, done, isOver))
    await expect.poll(() => done.signed.length, { timeout: 60_000 }).toBeGreaterThan(before)
    await pause(Math.random() * LONGEST_LIFE_MS)
    isOver.value = true
    await server.kill()
    await work
    await server.stop()
    expect(await faultsOf({ dataFolder }, done)).toEqual([])
    expect(readableFiles()).toEqual([])
  }
  const server = await begin()
  try {
    expect(await signRemaining(withRows, signers, done)).toEqual([])
  } finally {
    await server.stop()
  }
  expect(await faultsOf({ dataFolder }, done)).toEqual([])
})

/** Files in which a document can be read, also one that was being uploaded or signed when the server was killed. */
function readableFiles(): string[] {
  const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  expect(files.length).toBeGreaterThan(20)
  // The head of every PDF, and a string in those that are uploaded here.
  return files.filter((file) => {
    const bytes = readFileSync(file)
    return bytes.includes('%PDF') || bytes.includes('/Reference(')
  })
}
