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

/** The origin of a request, recorded in every event. */
export type Origin = {
  /** As text, without port: `203.0.113.7`, `2001:db8::1`. */
  readonly ip: string
  /** `Chrome en Windows` */
  readonly device: string
  readonly requestId: string
  /** SHA-256 of the browser's cookie; null for a program without cookies. */
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
  /** For a program: the id of its access token, because it has no session. */
  readonly sessionId: SessionId
  readonly roles: readonly Role[]
  readonly firstName: string
  readonly lastName: string
  readonly rfc: Rfc
  readonly signedInAt: Instant
  /** Time of the last authentication: sign-in or step-up. */
  readonly provenAt: Instant
  /** Time of the last second factor in this session; null if the password sufficed. */
  readonly secondFactorAt: Instant | null
  readonly duty: Duty | null
}

/**
 * An external signer with a link from an office: may view and sign only the documents of that signing session.
 */
export type Guest = Origin & {
  readonly kind: 'guest'
  readonly linkId: SigningLinkId
  readonly signerId: SignerId
  readonly signingSessionId: SigningSessionId
  readonly officeId: OfficeId
  readonly name: string
  readonly rfc: Rfc
  /** Time of consent to the aviso de privacidad; null before. */
  readonly consentedAt: Instant | null
}

/** Who may sign. */
export type Signatory = Person | Guest

/** The originator of a request. */
export type Actor = Anonymous | Signatory
