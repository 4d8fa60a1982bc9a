import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { filePatternsContext } from '#app/http/context.ts'
import { refuseDataOfFiles } from '#app/http/refuse-data-of-files.ts'

const FILE = '/dashboard/documents/:id/download'

/** The status of the refusal, or 200 if the request passes. */
async function visited(address: string, pattern = FILE, method = 'GET'): Promise<number> {
  const context = new RouterContextProvider()
  context.set(filePatternsContext, new Set([FILE.slice(1)]))
  const request = new Request(`http://localhost${address}`, { method })
  const args = { request, context, pattern } as unknown as Parameters<typeof refuseDataOfFiles>[0]
  try {
    await refuseDataOfFiles(args, async () => new Response())
    return 200
  } catch (error) {
    return error instanceof Response ? error.status : 0
  }
}

test.each([
  ['GET', '/dashboard/documents/1/download.data', FILE, 404],
  ['HEAD', '/dashboard/documents/1/download.data', FILE, 404],
  ['HEAD', '/dashboard/documents/1/download', FILE, 200],
  ['GET', '/dashboard/documents/1/download', FILE, 200],
  ['GET', '/dashboard/documents/1/download?x=1.data', FILE, 200],
  ['POST', '/dashboard/documents/1/download.data', FILE, 200],
  ['GET', '/dashboard/documents/1.data', '/dashboard/documents/:id', 200],
])('%s %s of the route %s: answers %i', async (method, address, pattern, status) => {
  expect(await visited(address, pattern, method)).toBe(status)
})
