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
  /** Absolute end of the session; browsers need not keep them longer. */
  expiresAt: Instant
}

/**
 * The tokens of a refresh token. Deterministic, so that two tabs that refresh at once, or a browser that lost
 * the response, get the same successor although only hashes are stored.
 *
 * @param key 32 bytes that never leave the server: a stolen database is not enough to derive tokens
 */
export function tokensOf(key: Uint8Array, refresh: Token, expiresAt: Instant): SessionTokens {
  return { access: derive(key, 'access', refresh), refresh, expiresAt }
}

/**
 * The tokens `steps` generations after this refresh token.
 *
 * @param steps 0 for its own generation
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
