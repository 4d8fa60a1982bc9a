import { fork } from 'node:child_process'
import { expect, test } from 'vitest'
import { testFolders } from '#tests/support/each-store.ts'
import type { Growth, LargeFileOrder } from '#tests/support/processes/large-file-program.ts'
import { swiftServer } from '#tests/support/swift-of-tests.ts'

const swift = swiftServer()
const folders = testFolders()

/** In ms: Swift needs a minute of it. */
const PATIENCE = 300_000

/** In MiB: some parts of an upload, and what the collector leaves until it runs. */
const MOST = 60

test('a file of 200 MB is written, read and fetched in little memory', {
  timeout: PATIENCE,
}, async () => {
  const place = await swift().newPlace()
  const program = new URL('../../../support/processes/large-file-program.ts', import.meta.url)
  const child = fork(program)
  const growth = await new Promise<Growth>((resolve, reject) => {
    child.once('message', (told) => resolve(told as Growth))
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}`)))
    child.send({ place, folder: folders.one(), bytes: 200_000_000 } satisfies LargeFileOrder)
  })
  expect(Object.values(growth).filter((megabytes) => megabytes > MOST)).toEqual([])
})
