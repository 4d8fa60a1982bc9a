import { Link, type LinkProps } from 'react-router'
import { isHydratedPath } from '#app/hydrated-paths.ts'

/**
 * A link within the application. To a page that does not hydrate it loads the document: client navigation
 * would silently omit that page's scripts.
 */
export function PageLink({
  to,
  reloadDocument,
  ...rest
}: Omit<LinkProps, 'to' | 'reloadDocument'> & { to: string; reloadDocument?: true }) {
  const isHydrated = to.startsWith('?') || isHydratedPath(to)
  return <Link to={to} reloadDocument={reloadDocument ?? !isHydrated} {...rest} />
}
