import type { HeadersFunction } from 'react-router'

/** Headers of a page with secrets: no caching, and `Retry-After` on a refusal. */
export const noStore: HeadersFunction = ({ actionHeaders }) =>
  withRetryAfter({ 'Cache-Control': 'no-store' }, actionHeaders)

/** Headers of a public page with a form: kept out of search engines, and `Retry-After` on a refusal. */
export const notIndexed: HeadersFunction = ({ actionHeaders, loaderHeaders }) => {
  const refused = actionHeaders.has('Retry-After') ? actionHeaders : loaderHeaders
  return withRetryAfter({ 'X-Robots-Tag': 'noindex' }, refused)
}

function withRetryAfter(init: HeadersInit, refused: Headers): Headers {
  const headers = new Headers(init)
  const wait = refused.get('Retry-After')
  if (wait) headers.set('Retry-After', wait)
  return headers
}

/** Adds the header that keeps a page out of search engines. */
export function noIndex(headers: HeadersInit): Headers {
  const own = new Headers(headers)
  own.set('X-Robots-Tag', 'noindex')
  return own
}
