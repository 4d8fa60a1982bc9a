import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'

const WINDOW_BYTES = 16

/**
 * The parts of the key or its password found in `sent`, by name; empty if there are none. Searches for any sixteen
 * bytes of the file, of each secret number in it and of the owner's other key files, and for the password: plain,
 * percent-encoded, hexadecimal, as numbers, and in base64 at every alignment.
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

/** The sent text as it is, percent-decoded, and with each character as a byte. */
function readings(sent: Buffer): string[] {
  const plain = sent.toString('latin1')
  const decoded = plain.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const letters = Buffer.from(decoded, 'latin1').toString('utf8')
  return [...new Set([plain, decoded, letters, plain.toLowerCase()])]
}

/**
 * Every window of the secret in every encoding. Base64 encodes groups of three bytes: as windows begin everywhere,
 * one of them begins with a group.
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
