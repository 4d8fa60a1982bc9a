import type { HeadersFunction } from 'react-router'

/** Headers of a page with secrets: no caching, and `Retry-After` on a refusal. */
export const noStore: HeadersFunction = ({ actionHeaders }) => {
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  const wait = actionHeaders.get('Retry-After')
  if (wait) headers.set('Retry-After', wait)
  return headers
}

/** Adds the header that keeps a page out of search engines. */
export function noIndex(headers: HeadersInit): Headers {
  const own = new Headers(headers)
  own.set('X-Robots-Tag', 'noindex')
  return own
}
