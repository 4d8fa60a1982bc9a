import { latin1 } from './der-values.ts'

/**
 * The bytes inside the first PEM block with `label`; undefined when the file holds none.
 *
 * @see RFC 7468
 */
export function derFromPem(file: Uint8Array, label: string): Uint8Array | undefined {
  return allFromPem(file, label, 1)[0]
}

/**
 * The bytes inside every PEM block with `label`, in order: a bundle of authorities, for instance.
 *
 * @param most blocks that are read
 */
export function allFromPem(file: Uint8Array, label: string, most = Infinity): Uint8Array[] {
  const blocks: Uint8Array[] = []
  const text = latin1(file.subarray(0, 1 << 20))
  const opening = `-----BEGIN ${label}-----`
  const closing = `-----END ${label}-----`
  // Each character is looked at once: thousands of openings before one closing would be as many long blocks.
  let at = 0
  for (let end = text.indexOf(closing); end >= 0; end = text.indexOf(closing, at)) {
    const before = text.slice(at, end)
    at = end + closing.length
    const start = before.lastIndexOf(opening)
    const body = start < 0 ? undefined : fromBase64(before.slice(start + opening.length))
    if (body) blocks.push(body)
    if (blocks.length >= most) break
  }
  return blocks
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s+/g, '')), (digit) => digit.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The bytes as one PEM block. @see RFC 7468, 2 */
export function pemBlock(der: Uint8Array, label: string): string {
  const digits = btoa(Array.from(der, (octet) => String.fromCharCode(octet)).join(''))
  const lines = digits.match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
