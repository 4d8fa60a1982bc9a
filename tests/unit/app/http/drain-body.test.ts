import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { drainContext } from '#app/http/context.ts'
import { drainBody } from '#app/http/drain-body.ts'

/** The answer to a request whose handler gives this status, and whether the rest of its body was read before. */
async function answered(status: number) {
  let isDrained = false
  const context = new RouterContextProvider()
  context.set(drainContext, async () => {
    isDrained = true
  })
  const args = { context } as unknown as Parameters<typeof drainBody>[0]
  const response = await drainBody(args, async () => new Response(null, { status }))
  return { connection: response?.headers.get('Connection'), isDrained }
}

test.each([200, 413, 422])('answer %i: follows when the whole body is read', async (status) => {
  expect(await answered(status)).toEqual({ connection: null, isDrained: true })
})

test('answer to a sender that stalls: does not wait for the body, and closes the connection', async () => {
  expect(await answered(408)).toEqual({ connection: 'close', isDrained: false })
})
