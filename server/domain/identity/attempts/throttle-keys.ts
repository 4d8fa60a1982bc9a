import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Email } from '#server/domain/identity/email.ts'
import type {
  AccessTokenId,
  DocumentId,
  OfficeId,
  SessionId,
  SignerId,
  SigningLinkId,
  UserId,
} from '#server/domain/ids.ts'
import { networkOf, networksOf } from './network.ts'
import type { AttemptPolicy } from './throttle.ts'

/** The count of one key, and its limit. */
export type AttemptLimit = {
  readonly key: string
  readonly policy: AttemptPolicy
  /** One of `throttledAccounts`, if it locks an account. */
  readonly account?: string
}

/** One limit for each network of an address; larger networks may make more attempts. */
export const networkLimits = (
  keyOf: (network: string) => string,
  ip: string,
  policy: AttemptPolicy,
): AttemptLimit[] =>
  networksOf(ip).map(({ name, factor }) => ({
    key: keyOf(name),
    policy: { ...policy, free: policy.free * factor },
  }))

/**
 * The names under which the counts of one account are found, to show and lift its locks: hashes, so that the table does
 * not list who tried to sign in.
 */
export const throttledAccounts = {
  /** Passwords for an address, of an account or not. */
  ofAddress: (email: Email) => sha256(email),
  /** Second factors. */
  ofUser: (user: UserId) => sha256(user),
  /** Both of one user. */
  of: ({ id, email }: { id: UserId; email: Email }) => [sha256(email), sha256(id)],
}

/**
 * All keys under which attempts are counted; equal keys share a budget. A network is the name of one of
 * `networksOf`. Names of users and devices are hashed, so that the table does not list who tried to sign in.
 */
export const throttleKeys = {
  /** Passwords for an address, from a browser with which its account signed in before. */
  signInFromDevice: (email: Email, browser: string | null) =>
    `device:${sha256(`${email}\n${browser}`)}`,
  signInFromNetwork: (email: Email) => (network: string) =>
    `account:${sha256(`${email}\n${network}`)}`,
  signIn: (email: Email) => `account-anywhere:${sha256(email)}`,
  /** Not counted against a limit: refused passwords that are one event. */
  refusedSignIn: (email: Email, ip: string) => `refused:${sha256(`${email}\n${networkOf(ip)}`)}`,
  /** Passwords for any address. */
  network: (network: string) => `network:${network}`,

  /** Second factors of a sign-in, from a browser with which the account signed in before. */
  codeFromDevice: (user: UserId, browser: string | null) =>
    `code-device:${sha256(`${user}\n${browser}`)}`,
  codeFromNetwork: (user: UserId) => (network: string) =>
    `code-network:${sha256(`${user}\n${network}`)}`,
  code: (user: UserId) => `code-anywhere:${sha256(user)}`,

  /** Not counted against a limit: refused second factors that are one event. */
  refusedCode: (user: UserId, ip: string) => `refused-code:${sha256(`${user}\n${networkOf(ip)}`)}`,

  /** Step-ups of a session: an attacker at an unlocked screen has five guesses in all. */
  proof: (session: SessionId) => `proof:${session}`,
  /** Codes typed to reject a signing session, by the link that is open in the browser. */
  rejectionCode: (link: SigningLinkId) => `rejection-code:${link}`,
  /** E.firmas used to reject one, in the page or on the server. */
  rejectionEfirma: (link: SigningLinkId) => `rejection-efirma:${link}`,
  /** Mails with such a code. */
  rejectionMail: (signer: SignerId) => `rejection-mail:${signer}`,
  /** Mails to try the mail server. */
  testMail: (office: OfficeId) => `test-mail:${office}`,
  /** Links of any kind. */
  link: (network: string) => `link:${network}`,
  /** Access tokens that do not exist. */
  unknownAccessToken: (network: string) => `tokens:${network}`,
  callsOfAccessToken: (token: AccessTokenId) => `calls-of-token:${token}`,
  /** Addresses of calendars that do not exist. */
  unknownCalendar: (network: string) => `calendars:${network}`,
  /** By the user whose calendar it is. */
  readsOfCalendar: (user: UserId) => `reads-of-calendar:${sha256(user)}`,
  passwordRating: (network: string) => `rate-password:${network}`,
  /** Wrong PINs of a token on the server, by its serial number and its name. */
  pinOfToken: (serial: string, name: string) => `token-pin:${sha256(`${serial}/${name}`)}`,

  /** Verifications by the public, of one kind. */
  publicVerification: (kind: 'code' | 'file' | 'page') => (network: string) =>
    `verify-${kind}:${network}`,
  /** The event that a document was verified: one for each network. */
  verifiedDocument: (document: DocumentId, ip: string) => `verified:${document}:${networkOf(ip)}`,
}
