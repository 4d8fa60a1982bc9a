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

/** Rendering is aborted after this time. */
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

  const { page, linked, hasFailed } = await renderPage(request, entryContext, nonce)
  if (linked.length > 0) headers.set('Link', linked.map(preloadOf).join(', '))
  const body =
    shared && !hasFailed
      ? writer.writeForMany(shared, page, accepted)
      : writer.write(page, accepted)
  return answer(body, { headers, status: hasFailed ? 500 : status })
}

/* In a header, because React writes the scripts of a page before its style sheets, and the first paint waits for these. */
const preloadOf = (styleSheet: string) => `<${styleSheet}>; rel=preload; as=style`

function answer(
  { bytes, encoding }: PageBody,
  init: { headers: Headers; status: number },
): Response {
  const { headers } = init
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('Content-Length', String(bytes.length))
  headers.append('Vary', 'Accept-Encoding')
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding)
  return new Response(bytes, init)
}

async function renderPage(
  request: Request,
  entryContext: EntryContext,
  nonce: string,
): Promise<{ page: UnstyledPage; linked: readonly string[]; hasFailed: boolean }> {
  // Placeholder of the styles; the nonce makes it impossible to forge in user text.
  const mark = `/*${nonce}*/`
  const [inlined, linked] = [new Set<string>(), new Set<string>()]
  const record = (hrefs: Set<string>, routeIds: readonly string[]) => {
    // React Router suffixes the style sheets of lazy imports with `#`.
    for (const id of routeIds)
      for (const href of entryContext.manifest.routes[id]?.css ?? [])
        hrefs.add(href.replace('#', ''))
  }
  const placeStyles = {
    inline(routeIds: readonly string[]) {
      record(inlined, routeIds)
      return mark
    },
    link: (routeIds: readonly string[]) => record(linked, routeIds),
  }
  const { html, hasFailed } = await render(
    <NonceContext value={nonce}>
      <PageStylesContext value={import.meta.env.DEV ? null : placeStyles}>
        <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
      </PageStylesContext>
    </NonceContext>,
    nonce,
  )
  const [head = html, ...rest] = splitAt(html, mark)
  const page = { head, hrefs: [...inlined], tail: Buffer.concat(rest) }
  return { page, linked: [...linked], hasFailed }
}

function splitAt(bytes: Buffer, mark: string): Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, start)) {
    parts.push(bytes.subarray(start, at))
    start = at + mark.length
  }
  return [...parts, bytes.subarray(start)]
}

/** Renders the whole page: pages are small, and an error midway still gets the right status. */
function render(page: ReactNode, nonce: string): Promise<{ html: Buffer; hasFailed: boolean }> {
  return new Promise((resolve, reject) => {
    let hasFailed = false
    const chunks: Buffer[] = []
    const collected = new Writable({
      write(chunk: Buffer, _encoding, next) {
        chunks.push(chunk)
        next()
      },
      final(next) {
        resolve({ html: Buffer.concat(chunks), hasFailed })
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
    // Cleared above: a pending timer would keep the finished request in memory.
    const timer = setTimeout(abort, RENDER_LIMIT_MS)
  })
}

/** Logs unexpected errors with the request id; the browser never sees them. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // Refusals are not errors, and visitors could flood the log with them.
  const isRefusal = isRouteErrorResponse(error) && error.status < 500
  if (request.signal.aborted || isRefusal) return
  console.error({ requestId: context.get(requestContext).id, error })
}
