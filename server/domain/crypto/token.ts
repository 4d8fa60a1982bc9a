import { z } from 'zod'
import type { Sha256 } from '#server/domain/ids.ts'
import { sha256 } from './sha256.ts'

/** Random bytes per token: 256 bits cannot be guessed at any rate. */
export const TOKEN_BYTES = 32

/** A session token in the browser: base64url, 43 characters. Only its SHA-256 is stored. */
export const Token = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .brand<'Token'>()
export type Token = z.infer<typeof Token>

/**
 * Encodes random bytes as a token.
 *
 * @throws {RangeError} unless there are exactly 32 of them
 */
export function tokenFrom(random: Uint8Array): Token {
  if (random.length !== TOKEN_BYTES) throw new RangeError(`a token wants ${TOKEN_BYTES} bytes`)
  return Token.parse(Buffer.from(random).toString('base64url'))
}

/** The stored hash of a token. A plain hash suffices for 256 random bits; a stolen table opens no session. */
export function hashOfToken(token: Token): Sha256 {
  return sha256(token)
}
