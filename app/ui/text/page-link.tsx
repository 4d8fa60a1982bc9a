import { Link, type LinkProps } from 'react-router'

/** Dashboard pages hydrate; signing pages and files do not. */
const HYDRATED =
  /^\/dashboard(?![^/?#])(?!\/documents\/[^/]+\/(?:sign|pages|download|revision|presence|evidence|constancia|verdict)|\/signing\/batch)/

/** Whether the page at `path` runs React in the browser. */
export const isHydratedPath = (path: string) => HYDRATED.test(path)

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
