/** An address with the 50 documents that can be chosen in a list has 2.3 KB. */
const LONGEST = 4000

/**
 * Returns the path of ours that `value` names, or `fallback` if it could lead to another site.
 *
 * @param publicOrigin `https://rubrica.notaria.mx`
 */
export function safeReturnUrl(
  value: string | null | undefined,
  publicOrigin: string,
  fallback = '/dashboard',
): string {
  if (!value || value.length > LONGEST) return fallback
  // Browsers drop tabs and newlines and read "\" as "/": the rest could name another host.
  if ([...value].some(isDropped) || /%(?:[01][0-9a-f]|5c)/i.test(value)) return fallback
  if (!/^\/(?!\/|%2f)/i.test(value)) return fallback
  if (!URL.canParse(value, publicOrigin)) return fallback
  const { origin, pathname, search } = new URL(value, publicOrigin)
  const isOurs = origin === publicOrigin && !pathname.startsWith('//')
  return isOurs ? pathname + search : fallback
}

/** Returns the page of the link or form, from the `Referer`; undefined if it is not ours. */
export function pageBefore(request: Request, publicOrigin: string): string | undefined {
  const referrer = request.headers.get('Referer') ?? ''
  return referrer.startsWith(`${publicOrigin}/`) ? referrer.slice(publicOrigin.length) : undefined
}

const isDropped = (character: string) =>
  character <= ' ' || character === '\x7f' || character === '\\'
