import type { OfficeId, SessionId, UserId } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { Rfc } from './rfc.ts'
import type { Role } from './role.ts'

/** From where a request came; every audit event keeps it. */
export type Origin = {
  /** As text, without port: `203.0.113.7`, `2001:db8::1`. */
  readonly ip: string
  /** `Chrome en Windows` */
  readonly device: string
  readonly requestId: string
}

export type Anonymous = Origin & { readonly kind: 'anonymous' }

/** Somebody with a live session of an active account. */
export type Person = Origin & {
  readonly kind: 'person'
  readonly userId: UserId
  readonly officeId: OfficeId
  readonly sessionId: SessionId
  readonly roles: readonly Role[]
  readonly firstName: string
  readonly lastName: string
  readonly rfc: Rfc
  readonly signedInAt: Instant
}

/** Who asks. */
export type Actor = Anonymous | Person
