import { useMatches } from 'react-router'

/**
 * First in every form that changes something, before any file. The token is that of the page, or of the route if only some
 * of its answers have a form.
 */
export function CsrfField() {
  const tokens = useMatches().map(({ loaderData }) => (loaderData as Loaded)?.csrf)
  return <input type="hidden" name="csrf" value={tokens.find(Boolean) ?? ''} />
}

type Loaded = { csrf?: string } | null | undefined
