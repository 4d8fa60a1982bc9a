import type {
  OfficeId,
  SessionId,
  Sha256,
  SignerId,
  SigningLinkId,
  SigningSessionId,
  UserId,
} from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Rfc } from './rfc.ts'
import type { Role } from './role.ts'

/** From where a request came; every audit event keeps it. */
export type Origin = {
  /** As text, without port: `203.0.113.7`, `2001:db8::1`. */
  readonly ip: string
  /** `Chrome en Windows` */
  readonly device: string
  readonly requestId: string
  /** SHA-256 of the name that we gave the browser; null for a program that keeps no cookies. */
  readonly browser: Sha256 | null
}

/** What a person must do before anything else is allowed. */
export type Duty = 'change-password' | 'set-up-second-factor'

export type Anonymous = Origin & { readonly kind: 'anonymous' }

/** A user with a live session and an active account. */
export type Person = Origin & {
  readonly kind: 'person'
  readonly userId: UserId
  readonly officeId: OfficeId
  /** Of a program that signs for them: the id of its access token, which has no session. */
  readonly sessionId: SessionId
  readonly roles: readonly Role[]
  readonly firstName: string
  readonly lastName: string
  readonly rfc: Rfc
  readonly signedInAt: Instant
  /** When they last proved who they are: at sign-in, or when asked again. */
  readonly provenAt: Instant
  /** When they last showed a second factor in this session; null when the password was enough. */
  readonly secondFactorAt: Instant | null
  readonly duty: Duty | null
}

/**
 * An external signer who came by a link that an office made for them: they may see and sign what that one
 * signing session holds for them, and nothing else.
 */
export type Guest = Origin & {
  readonly kind: 'guest'
  readonly linkId: SigningLinkId
  readonly signerId: SignerId
  readonly signingSessionId: SigningSessionId
  readonly officeId: OfficeId
  readonly name: string
  readonly rfc: Rfc
  /** When they read the aviso de privacidad and agreed; null as long as they did not. */
  readonly consentedAt: Instant | null
}

/** Who may sign. */
export type Signatory = Person | Guest

/** Who asks. */
export type Actor = Anonymous | Signatory
