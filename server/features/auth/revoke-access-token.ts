import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endAccessToken, findAccessToken } from '#server/db/people/access-tokens.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { AccessTokenId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const RevokeAccessToken = z.object({ accessTokenId: AccessTokenId })
export type RevokeAccessToken = z.infer<typeof RevokeAccessToken>

/**
 * Revokes one of the caller's tokens; its next call is anonymous. Needs no step-up: a user who suspects a leak
 * must not be delayed.
 *
 * @throws {Problem} `not-signed-in`, or `not-found` for another person's token
 */
export async function revokeAccessToken(
  system: System,
  actor: Actor,
  { accessTokenId }: RevokeAccessToken,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'access-tokens.read-own', own, at)
  const token = await findAccessToken(db, accessTokenId)
  if (token?.userId !== person.userId)
    throw new Problem('not-found', `${person.userId} has no access token ${accessTokenId}`)

  await db.transaction(async (trx) => {
    if (!(await endAccessToken(trx, token.id, at))) return
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'access-token.revoked',
      subject: { kind: 'access-token', id: token.id },
      details: { name: token.name },
    })
  })
}
