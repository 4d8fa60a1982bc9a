import { PassThrough } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { inlineStylesContext, requestContext } from '#app/http/context.ts'
import { NonceContext } from '#app/ui/nonce.ts'
import { PageStylesContext } from '#app/ui/page-styles.tsx'

/** A page that takes longer is cut off: whoever asked has left. */
const RENDER_LIMIT_MS = 10_000

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce } = context.get(requestContext)
  const inlineStyles = context.get(inlineStylesContext)
  const stylesOf = (routeIds: readonly string[]) => {
    const hrefs = routeIds.flatMap((id) => entryContext.manifest.routes[id]?.css ?? [])
    return inlineStyles([...new Set(hrefs)])
  }

  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext value={nonce}>
        <PageStylesContext value={stylesOf}>
          <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
        </PageStylesContext>
      </NonceContext>,
      {
        nonce,
        onAllReady() {
          clearTimeout(timer)
          const body = new PassThrough()
          pipe(body)
          headers.set('Content-Type', 'text/html; charset=utf-8')
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }))
        },
        onShellError: reject,
        onError(error) {
          status = 500
          console.error(error)
        },
      },
    )
    // Cleared above: an uncleared timer keeps every finished request in memory until it fires.
    const timer = setTimeout(abort, RENDER_LIMIT_MS)
  })
}

/** What nobody foresaw goes to the log with the request's name, never to the browser. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return
  console.error({ requestId: context.get(requestContext).id, error })
}
