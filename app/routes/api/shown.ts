import type { z } from 'zod'
import type { Duty, Person } from '#server/domain/identity/actor.ts'
import type { SecondFactor } from '#server/domain/identity/second-factor.ts'
import type { Session } from '#server/domain/identity/session.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { SessionId } from '#server/domain/ids.ts'
import { toTimestamp } from '#server/domain/time.ts'
import type { ListedKey } from '#server/features/mfa/list-webauthn-credentials.ts'
import type { webAuthnCredential } from './factor-schemas.ts'
import type { session } from './shared-schemas.ts'
import type { LoginResponse } from './sign-in-schemas.ts'

/* Maps values of the domain to the names of the API. */

export const shownMethod = (factor: SecondFactor) => `MFA_METHOD_${factor}` as const

export const shownUser = ({ firstName, lastName, roles }: User | Person) => ({
  firstName,
  lastName,
  roles: [...roles],
})

export function shownSession(one: Session, here: SessionId): z.input<typeof session> {
  return {
    id: one.id,
    device: one.device,
    ip: one.ip,
    createdAt: toTimestamp(one.createdAt),
    lastSeenAt: toTimestamp(one.lastSeenAt),
    expiresAt: toTimestamp(one.expiresAt),
    provenAt: toTimestamp(one.provenAt),
    mfaMethod: one.secondFactor && shownMethod(one.secondFactor),
    isCurrent: one.id === here,
  }
}

const ACTIONS = {
  'change-password': 'CHANGE_PASSWORD',
  'set-up-second-factor': 'SET_UP_MFA',
} as const

/** The response to a completed sign-in. */
export function signedInAs(person: User | Person, one: Session, duty: Duty | null): LoginResponse {
  return {
    requiresMFA: false,
    mfaSessionToken: null,
    mfaMethods: [],
    mfaExpiresAt: null,
    user: shownUser(person),
    session: shownSession(one, one.id),
    requiredAction: duty && ACTIONS[duty],
  }
}

export function shownKey(key: ListedKey): z.input<typeof webAuthnCredential> {
  return {
    id: key.id,
    name: key.name,
    model: key.model,
    state: key.state === 'active' ? 'ACTIVE' : 'SUSPECT',
    isBackedUp: key.backup === 'backed-up',
    createdAt: toTimestamp(key.createdAt),
    lastUsedAt: key.lastUsedAt === null ? null : toTimestamp(key.lastUsedAt),
  }
}
