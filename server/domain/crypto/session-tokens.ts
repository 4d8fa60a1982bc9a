import { createHmac } from 'node:crypto'
import { type Token, tokenFrom } from './token.ts'

/**
 * The two tokens of one generation of a session. `access` opens it for a few minutes; `refresh` is
 * exchanged for the next generation.
 */
export type SessionTokens = { access: Token; refresh: Token }

/**
 * The tokens that belong to a refresh token: always the same ones, so that two tabs that refresh at once,
 * or a browser that lost the answer, get the same successor, although only hashes are stored.
 *
 * @param key 32 bytes that never leave the server: who steals the database derives nothing
 */
export function tokensOf(key: Uint8Array, refresh: Token): SessionTokens {
  return { access: derive(key, 'access', refresh), refresh }
}

/** The next generation after the one with this refresh token. */
export function successorOf(key: Uint8Array, refresh: Token): SessionTokens {
  return tokensOf(key, derive(key, 'refresh', refresh))
}

function derive(key: Uint8Array, purpose: 'access' | 'refresh', from: Token): Token {
  return tokenFrom(createHmac('sha256', key).update(`${purpose}!${from}`).digest())
}
