import type { EntryContext } from 'react-router'
import type { SharedPage } from '#server/web/page-writer.ts'
import type { PageHandle } from './page-handle.ts'

type RootData = { csrf: string; person: unknown; flash: unknown; resumedPath: unknown }

/**
 * Whether the page that answers a request is the same for every stranger; undefined when it is not. Only a
 * route that says so has such pages: what it renders follows from its address and from its data, which are
 * plain JSON, and from nothing else (no clock, no chance).
 */
export function sharedPageOf(
  request: Request,
  status: number,
  { staticHandlerContext, routeModules }: EntryContext,
  nonce: string,
): SharedPage | undefined {
  const { loaderData, actionData, errors, matches } = staticHandlerContext
  const { pathname, search } = new URL(request.url)
  // With a query there is no end of addresses, and one visitor could push out the pages of the others.
  if (request.method !== 'GET' || status !== 200 || search || actionData || errors) return undefined
  const isShared = matches.some(
    ({ route }) => (routeModules[route.id]?.handle as PageHandle | undefined)?.isShared,
  )
  const { csrf, ...root } = loaderData.root as RootData
  if (!isShared || root.person || root.flash || root.resumedPath) return undefined
  const madeOf = JSON.stringify([pathname, { ...loaderData, root }])
  return { madeOf, own: [nonce, csrf] }
}
