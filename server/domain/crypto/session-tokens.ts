import { createHmac } from 'node:crypto'
import type { Instant } from '#server/domain/time.ts'
import { type Token, tokenFrom } from './token.ts'

/**
 * The two tokens of one generation of a session. `access` opens it for a few minutes; `refresh` is
 * exchanged for the next generation.
 */
export type SessionTokens = {
  access: Token
  refresh: Token
  /** The absolute end of the session: no browser needs to keep them longer. */
  expiresAt: Instant
}

/**
 * The tokens that belong to a refresh token: always the same ones, so that two tabs that refresh at once,
 * or a browser that lost the answer, get the same successor, although only hashes are stored.
 *
 * @param key 32 bytes that never leave the server: who steals the database derives nothing
 */
export function tokensOf(key: Uint8Array, refresh: Token, expiresAt: Instant): SessionTokens {
  return { access: derive(key, 'access', refresh), refresh, expiresAt }
}

/**
 * The tokens so many generations after the one with this refresh token.
 *
 * @param steps 0 for its own
 */
export function successorOf(
  key: Uint8Array,
  refresh: Token,
  steps: number,
  expiresAt: Instant,
): SessionTokens {
  let successor = refresh
  for (let step = 0; step < steps; step++) successor = derive(key, 'refresh', successor)
  return tokensOf(key, successor, expiresAt)
}

function derive(key: Uint8Array, purpose: 'access' | 'refresh', from: Token): Token {
  return tokenFrom(createHmac('sha256', key).update(`${purpose}!${from}`).digest())
}
