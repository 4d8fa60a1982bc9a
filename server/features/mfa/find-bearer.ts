import { findOpenSignIn } from '#server/db/sign-ins/sign-ins.ts'
import type { Token } from '#server/domain/crypto/token.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ChallengePurpose } from '#server/domain/identity/webauthn-challenge.ts'
import type { SessionId, SignInId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type Bearer = {
  id: SessionId | SignInId
  userId: UserId
  purpose: Extract<ChallengePurpose, 'second-factor' | 'step-up'>
}

/**
 * The session of a step-up or the pending sign-in for which a key is to be used.
 *
 * @throws {Problem} `not-signed-in` without either
 */
export async function findBearer(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  signInToken: Token | undefined,
  at: Instant,
): Promise<Bearer> {
  if (actor.kind === 'person') {
    const { sessionId, userId } = await authorizeOrRecord(
      db,
      actor,
      'identity.prove-own',
      actor,
      at,
    )
    return { id: sessionId, userId, purpose: 'step-up' }
  }
  const signIn = signInToken && (await findOpenSignIn(db, signInToken, at))
  if (!signIn) throw new Problem('not-signed-in', 'neither a session nor an open sign-in')
  return { id: signIn.id, userId: signIn.userId, purpose: 'second-factor' }
}
