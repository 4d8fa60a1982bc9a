import type { Duty, Origin, Person } from './actor.ts'
import type { Session } from './session.ts'
import type { User } from './user.ts'

/** Who asks from `origin` once `session` of `user` has begun. */
export function personOf(
  { ip, device, requestId, browser }: Origin,
  user: User,
  session: Session,
  duty: Duty | null,
): Person {
  return {
    kind: 'person',
    userId: user.id,
    officeId: user.officeId,
    sessionId: session.id,
    roles: user.roles,
    firstName: user.firstName,
    lastName: user.lastName,
    rfc: user.rfc,
    signedInAt: session.createdAt,
    provenAt: session.provenAt,
    secondFactorAt: session.secondFactorAt,
    duty,
    ip,
    device,
    requestId,
    browser,
  }
}
