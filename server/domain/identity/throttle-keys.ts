import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { AccessTokenId, DocumentId, SessionId, UserId } from '#server/domain/ids.ts'
import type { Email } from './email.ts'
import { networkOf } from './network.ts'

/**
 * All keys under which attempts are counted; equal keys share a budget. Names of users and devices are hashed,
 * so that the table does not list who tried to sign in.
 */
export const throttleKeys = {
  /** Passwords for an address, from a browser with which its account signed in before. */
  signInFromDevice: (email: Email, browser: string | null) =>
    `device:${sha256(`${email}\n${browser}`)}`,
  signInFromNetwork: (email: Email, ip: string) =>
    `account:${sha256(`${email}\n${networkOf(ip)}`)}`,
  signIn: (email: Email) => `account-anywhere:${sha256(email)}`,
  /** Passwords for any address. */
  network: (ip: string) => `network:${networkOf(ip)}`,

  /** Second factors of a sign-in, from a browser with which the account signed in before. */
  codeFromDevice: (user: UserId, browser: string | null) =>
    `code-device:${sha256(`${user}\n${browser}`)}`,
  codeFromNetwork: (user: UserId, ip: string) =>
    `code-network:${sha256(`${user}\n${networkOf(ip)}`)}`,
  code: (user: UserId) => `code-anywhere:${sha256(user)}`,

  /** Step-ups of a session: an attacker at an unlocked screen has five guesses in all. */
  proof: (session: SessionId) => `proof:${session}`,
  /** Links of any kind. */
  link: (ip: string) => `link:${networkOf(ip)}`,
  /** Access tokens that do not exist. */
  unknownAccessToken: (ip: string) => `tokens:${networkOf(ip)}`,
  callsOfAccessToken: (token: AccessTokenId) => `calls-of-token:${token}`,
  passwordRating: (ip: string) => `rate-password:${networkOf(ip)}`,
  /** Wrong PINs of a token on the server, by its serial number and its name. */
  pinOfToken: (serial: string, name: string) => `token-pin:${sha256(`${serial}/${name}`)}`,

  /** Verifications by the public, of one kind. */
  publicVerification: (kind: string, ip: string) => `verify-${kind}:${networkOf(ip)}`,
  /** The event that a document was verified: one for each network. */
  verifiedDocument: (document: DocumentId, ip: string) => `verified:${document}:${networkOf(ip)}`,
}
