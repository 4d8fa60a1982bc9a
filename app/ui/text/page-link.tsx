import { Link, type LinkProps } from 'react-router'

/** Dashboard pages hydrate; the pages on which somebody signs do not, and files are no pages. */
const HYDRATED =
  /^\/dashboard(?![^/?#])(?!\/documents\/[^/]+\/(?:sign|pages|download|revision|presence|evidence|constancia)|\/signing\/batch)/

/** Whether the page at `path` runs React in the browser. */
export const isHydratedPath = (path: string) => HYDRATED.test(path)

/**
 * A link of ours. To a page that does not hydrate it always loads the document: client navigation would
 * leave that page's scripts out, without an error.
 */
export function PageLink({
  to,
  reloadDocument,
  ...rest
}: Omit<LinkProps, 'to' | 'reloadDocument'> & { to: string; reloadDocument?: true }) {
  const isHydrated = to.startsWith('?') || isHydratedPath(to)
  return <Link to={to} reloadDocument={reloadDocument ?? !isHydrated} {...rest} />
}
