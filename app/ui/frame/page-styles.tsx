import { createContext, use } from 'react'
import { Links, useMatches } from 'react-router'
import { useNonce } from './nonce.ts'

/** Notes whose styles the page needs, and says what holds their place until they are put in. */
type PlaceStyles = (routeIds: readonly string[]) => string

/** Set on the server only: pages that hydrate must not depend on it. */
export const PageStylesContext = createContext<PlaceStyles | null>(null)

/**
 * The styles of a page. A page that does not hydrate carries them in itself, which saves a round trip
 * before the first paint; the others link them, so that the browser keeps them for the next page.
 */
export function PageStyles({ isHydrated }: { isHydrated: boolean }) {
  const nonce = useNonce()
  const placeStyles = use(PageStylesContext)
  const matches = useMatches()
  if (isHydrated || !placeStyles) return <Links nonce={nonce} />
  return <style nonce={nonce}>{placeStyles(matches.map((match) => match.id))}</style>
}
