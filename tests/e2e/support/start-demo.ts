import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startDemoServer } from '#tests/support/processes/demo-server.ts'
import { copyFolder, offerPreparedDemo } from '#tests/support/processes/prepared-demo.ts'

/**
 * One demo office for all tests, described by DEMO_JSON. Tests with their own office start from a copy of it, made
 * before the first test.
 */
export default async function startDemo(): Promise<() => Promise<void>> {
  const prepared = mkdtempSync(path.join(tmpdir(), 'rubrica-prepared-'))
  const compiled = mkdtempSync(path.join(tmpdir(), 'rubrica-compiled-'))
  // Each server would compile the same modules again.
  process.env.NODE_COMPILE_CACHE = compiled
  const first = await startDemoServer()
  await first.end()
  copyFolder(first.dataFolder, prepared)
  await first.stop()
  offerPreparedDemo(prepared)
  const { demo, dataFolder, stop } = await startDemoServer()
  process.env.DEMO_JSON = JSON.stringify(demo)
  process.env.DEMO_DATA = dataFolder
  return async () => {
    await stop()
    for (const folder of [prepared, compiled]) rmSync(folder, { recursive: true, force: true })
  }
}
