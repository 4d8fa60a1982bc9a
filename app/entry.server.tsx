import { Writable } from 'node:stream'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { pageWriterContext, requestContext } from '#app/http/context.ts'
import { sharedPageOf } from '#app/http/shared-page.ts'
import { NonceContext } from '#app/ui/frame/nonce.ts'
import { PageStylesContext } from '#app/ui/frame/page-styles.tsx'
import type { PageBody, UnstyledPage } from '#server/web/page-writer.ts'

/** A page that takes longer is cut off: whoever asked has left. */
const RENDER_LIMIT_MS = 10_000

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce } = context.get(requestContext)
  const writer = context.get(pageWriterContext)
  const accepted = request.headers.get('Accept-Encoding')
  const shared = sharedPageOf(request, status, entryContext, nonce)
  const again = shared && writer.writeAgain(shared, accepted)
  if (again) return answer(again, { headers, status })

  const { page, hasFailed } = await renderPage(request, entryContext, nonce)
  const body =
    shared && !hasFailed
      ? writer.writeForMany(shared, page, accepted)
      : writer.write(page, accepted)
  return answer(body, { headers, status: hasFailed ? 500 : status })
}

function answer(
  { bytes, encoding }: PageBody,
  init: { headers: Headers; status: number },
): Response {
  const { headers } = init
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('Content-Length', String(bytes.length))
  headers.append('Vary', 'Accept-Encoding')
  if (encoding === 'gzip') headers.set('Content-Encoding', 'gzip')
  return new Response(bytes, init)
}

async function renderPage(
  request: Request,
  entryContext: EntryContext,
  nonce: string,
): Promise<{ page: UnstyledPage; hasFailed: boolean }> {
  // Where the styles go: nothing that a person wrote can look like it.
  const place = `/*${nonce}*/`
  const hrefs = new Set<string>()
  const placeStyles = (routeIds: readonly string[]) => {
    // React Router marks a sheet with `#` that a lazy import has too.
    for (const id of routeIds)
      for (const href of entryContext.manifest.routes[id]?.css ?? [])
        hrefs.add(href.replace('#', ''))
    return place
  }
  const { html, hasFailed } = await render(
    <NonceContext value={nonce}>
      <PageStylesContext value={import.meta.env.DEV ? null : placeStyles}>
        <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
      </PageStylesContext>
    </NonceContext>,
    nonce,
  )
  const [head = '', ...rest] = html.split(place)
  return { page: { head, hrefs: [...hrefs], tail: rest.join('') }, hasFailed }
}

/** The whole page as text: pages are small, and one that fails in its middle gets the right status. */
function render(page: ReactNode, nonce: string): Promise<{ html: string; hasFailed: boolean }> {
  return new Promise((resolve, reject) => {
    let hasFailed = false
    const chunks: Buffer[] = []
    const collected = new Writable({
      write(chunk: Buffer, _encoding, next) {
        chunks.push(chunk)
        next()
      },
      final(next) {
        resolve({ html: Buffer.concat(chunks).toString('utf8'), hasFailed })
        next()
      },
    })
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      onAllReady() {
        clearTimeout(timer)
        pipe(collected)
      },
      onShellError(error) {
        clearTimeout(timer)
        reject(error)
      },
      onError(error) {
        hasFailed = true
        console.error(error)
      },
    })
    // Cleared above: an uncleared timer keeps every finished request in memory until it fires.
    const timer = setTimeout(abort, RENDER_LIMIT_MS)
  })
}

/** What nobody foresaw goes to the log with the request's name, never to the browser. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A refusal that was answered is no fault of ours, and strangers could fill the log with it.
  const isRefusal = isRouteErrorResponse(error) && error.status < 500
  if (request.signal.aborted || isRefusal) return
  console.error({ requestId: context.get(requestContext).id, error })
}
