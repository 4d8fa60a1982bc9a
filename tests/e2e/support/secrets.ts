import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'

const WINDOW_BYTES = 16

/**
 * What of the key or its password stands in `sent`, by name; empty when nothing does. Looked for are any
 * sixteen bytes of the file and of each secret number in it, of the other files in which the owner keeps it, and the password, plain, percent-encoded,
 * hexadecimal, as numbers, and in base64 at every alignment.
 */
export function secretsIn(
  sent: Buffer,
  owner: DemoUser,
  files: Record<string, Buffer> = {},
): string[] {
  const places = readings(sent)
  const found = Object.entries({ ...secretsOf(owner), ...files }).filter(([, secret]) =>
    needles(secret).some((needle) => places.some((place) => place.includes(needle))),
  )
  return found.map(([name]) => name)
}

function secretsOf({ key, keyPassword }: DemoUser): Record<string, Buffer> {
  const file = readFileSync(key)
  const { d, p, q, dp, dq, qi } = createPrivateKey({
    key: file,
    format: 'der',
    type: 'pkcs8',
    passphrase: keyPassword,
  }).export({ format: 'jwk' })
  const numbers = Object.entries({ d, p, q, dp, dq, qi }).map(([name, value]) => [
    `secret number ${name}`,
    Buffer.from(value ?? '', 'base64url'),
  ])
  return {
    'key file': file,
    ...Object.fromEntries(numbers),
    password: Buffer.from(keyPassword),
    'password in Latin-1': Buffer.from(keyPassword, 'latin1'),
    'password in UTF-16': Buffer.from(keyPassword, 'utf16le'),
  }
}

/** What was sent as it is, without percent signs, and with each letter taken for a byte. */
function readings(sent: Buffer): string[] {
  const plain = sent.toString('latin1')
  const decoded = plain.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const letters = Buffer.from(decoded, 'latin1').toString('utf8')
  return [...new Set([plain, decoded, letters, plain.toLowerCase()])]
}

/**
 * Every window of the secret in every writing. Base64 shows whole groups of three bytes: as windows begin
 * everywhere, one of them begins where a group does.
 */
function needles(secret: Buffer): string[] {
  const size = Math.min(WINDOW_BYTES, secret.length - 2)
  return Array.from({ length: secret.length - size + 1 }, (_, at) => {
    const window = secret.subarray(at, at + size)
    const groups = window.subarray(0, size - (size % 3))
    return [
      window.toString('latin1'),
      window.toString('hex'),
      window.join(','),
      groups.toString('base64'),
      groups.toString('base64url'),
    ]
  }).flat()
}
