import { z } from 'zod'
import type { Sha256 } from '#server/domain/ids.ts'
import { sha256 } from './sha256.ts'

/** How many random bytes a token is made of: 256 bits cannot be guessed, at any rate of asking. */
export const TOKEN_BYTES = 32

/** What a browser holds to open its session: base64url, 43 characters. Only its SHA-256 is stored. */
export const Token = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .brand<'Token'>()
export type Token = z.infer<typeof Token>

/**
 * The token that these random bytes make.
 *
 * @throws {RangeError} unless there are exactly 32 of them
 */
export function tokenFrom(random: Uint8Array): Token {
  if (random.length !== TOKEN_BYTES) throw new RangeError(`a token wants ${TOKEN_BYTES} bytes`)
  return Token.parse(Buffer.from(random).toString('base64url'))
}

/**
 * What is stored of a token. A plain hash is enough: there is nothing to guess in 256 random bits, and
 * who steals the table opens no session with it.
 */
export function hashOfToken(token: Token): Sha256 {
  return sha256(token)
}
