import { afterAll, beforeAll } from 'vitest'
import { type SwiftServer, startSwift } from './swift-server.ts'

/** In ms, on a busy machine. */
const PATIENCE = 180_000

/** OpenStack Swift, which speaks S3, for the tests of a file. */
export function swiftServer(): () => SwiftServer {
  let starting: ReturnType<typeof startSwift> | undefined
  let server: SwiftServer | undefined
  beforeAll(async () => {
    starting = startSwift()
    server = (await starting).server
  }, PATIENCE)
  afterAll(async () => {
    // Also when the tests did not wait for it.
    await (await starting)?.stop()
  }, PATIENCE)
  return () => {
    if (!server) throw new Error('Swift runs only while the tests do')
    return server
  }
}
