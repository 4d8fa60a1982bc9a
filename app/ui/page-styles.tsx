import { createContext, use } from 'react'
import { Links, useMatches } from 'react-router'
import { useNonce } from './nonce.ts'

type StylesOf = (routeIds: readonly string[]) => string

/** Set on the server only: pages that hydrate must not depend on it. */
export const PageStylesContext = createContext<StylesOf | null>(null)

/**
 * The styles of a page. A page that does not hydrate carries them in itself, which saves a round trip
 * before the first paint; the others link them, so that the browser keeps them for the next page.
 */
export function PageStyles({ isHydrated }: { isHydrated: boolean }) {
  const nonce = useNonce()
  const stylesOf = use(PageStylesContext)
  const matches = useMatches()
  if (isHydrated || !stylesOf) return <Links nonce={nonce} />
  const styles = stylesOf(matches.map((match) => match.id))
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheets, from our own build
  return <style nonce={nonce} dangerouslySetInnerHTML={{ __html: styles }} />
}
