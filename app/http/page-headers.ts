import type { HeadersFunction } from 'react-router'

/**
 * The headers of a page on which secrets are typed or shown: nothing keeps it, and a refusal says how long
 * to wait.
 */
export const unkept: HeadersFunction = ({ actionHeaders }) => {
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  const wait = actionHeaders.get('Retry-After')
  if (wait) headers.set('Retry-After', wait)
  return headers
}

/** The same headers for a page that no search engine lists. */
export function unlisted(headers: HeadersInit): Headers {
  const own = new Headers(headers)
  own.set('X-Robots-Tag', 'noindex')
  return own
}
