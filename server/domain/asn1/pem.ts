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
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, start + 1)) {
    const end = text.indexOf(closing, start)
    if (end < 0) break
    const body = fromBase64(text.slice(start + opening.length, end))
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
