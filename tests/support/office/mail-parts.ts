/** The text of one part of a message, decoded. */
export function partOf(raw: string, type: string): string {
  const at = raw.indexOf(`Content-Type: ${type}`)
  const start = raw.indexOf('\r\n\r\n', at) + 4
  const end = raw.indexOf('\r\n--', start)
  const body = raw.slice(start, end)
  const isBase64 = /Content-Transfer-Encoding: base64/.test(raw.slice(at, start))
  if (isBase64) return Buffer.from(body, 'base64').toString('utf8')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The PDF attachments of a message, each with its headers. */
export function attachedTo(raw: string): { head: string; file: Buffer }[] {
  const [, ...parts] = raw.split('Content-Type: application/pdf')
  return parts.map((part) => {
    const start = part.indexOf('\r\n\r\n') + 4
    const encoded = part.slice(start, part.indexOf('\r\n--', start))
    return { head: part.slice(0, start), file: Buffer.from(encoded, 'base64') }
  })
}
