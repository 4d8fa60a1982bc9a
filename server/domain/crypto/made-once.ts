import { sha256 } from './sha256.ts'

/**
 * The id of what a user makes with one form: the same user and form give the same id, so that a form that is sent twice
 * makes one thing, in any process and after any crash. Other users cannot hit it.
 *
 * @param once the hidden field of the form: a UUID that its page made
 * @returns a UUID
 * @see RFC 9562, 5.8, "UUID Version 8"
 */
export function idMadeOnce(userId: string, once: string): string {
  const hex = sha256(`made once by ${userId} with ${once.toLowerCase()}`)
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
