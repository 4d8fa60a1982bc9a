import type { EntryContext } from 'react-router'
import type { SharedPage } from '#server/web/page-writer.ts'
import type { PageHandle } from './page-handle.ts'

type RootData = { csrf: string; person: unknown; flash: unknown; resumedPath: unknown }

/**
 * Returns what a page that is the same for every visitor depends on, and the values of this response alone;
 * undefined for other pages. Routes declare such pages: they depend on the address and on loader data that
 * is plain JSON (no clock, no randomness).
 */
export function sharedPageOf(
  request: Request,
  status: number,
  { staticHandlerContext, routeModules }: EntryContext,
  nonce: string,
): SharedPage | undefined {
  const { loaderData, actionData, errors, matches } = staticHandlerContext
  const { pathname, search } = new URL(request.url)
  // Queries are unbounded: one visitor could evict the pages of all others.
  if (request.method !== 'GET' || status !== 200 || search || actionData || errors) return undefined
  const isShared = matches.some(
    ({ route }) => (routeModules[route.id]?.handle as PageHandle | undefined)?.isShared,
  )
  const { csrf, ...root } = loaderData.root as RootData
  if (!isShared || root.person || root.flash || root.resumedPath) return undefined
  // A page without a token is another one.
  const own = csrf === '' ? [nonce] : [nonce, csrf]
  const madeOf = JSON.stringify([pathname, own.length, { ...loaderData, root }])
  return { madeOf, own }
}
