import { createContext, use } from 'react'
import { Links, useMatches } from 'react-router'
import { useNonce } from './nonce.ts'

/** Records the routes whose styles the page needs; returns the placeholder for them. */
type PlaceStyles = (routeIds: readonly string[]) => string

/** Set on the server only; hydrated pages must not depend on it. */
export const PageStylesContext = createContext<PlaceStyles | null>(null)

/**
 * The styles of a page. A page that does not hydrate inlines them, which saves a round trip before the
 * first paint; others link them for the browser's cache.
 */
export function PageStyles({ isHydrated }: { isHydrated: boolean }) {
  const nonce = useNonce()
  const placeStyles = use(PageStylesContext)
  const matches = useMatches()
  if (isHydrated || !placeStyles) return <Links nonce={nonce} />
  return <style nonce={nonce}>{placeStyles(matches.map((match) => match.id))}</style>
}
