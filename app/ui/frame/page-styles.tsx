import { createContext, use } from 'react'
import { Links, useMatches } from 'react-router'
import { useNonce } from './nonce.ts'

type PlaceStyles = {
  /** Records the routes whose styles the page contains; returns the placeholder for them. */
  inline(routeIds: readonly string[]): string
  /** Records the routes whose styles the page links. */
  link(routeIds: readonly string[]): void
}

/** Set on the server only; hydrated pages must not depend on it. */
export const PageStylesContext = createContext<PlaceStyles | null>(null)

/**
 * The styles of a page. A page that does not hydrate inlines them, which saves a round trip before the
 * first paint; others link them for the browser's cache.
 */
export function PageStyles({ isHydrated }: { isHydrated: boolean }) {
  const nonce = useNonce()
  const place = use(PageStylesContext)
  const routeIds = useMatches().map((match) => match.id)
  if (place && !isHydrated) return <style nonce={nonce}>{place.inline(routeIds)}</style>
  place?.link(routeIds)
  return <Links nonce={nonce} />
}
