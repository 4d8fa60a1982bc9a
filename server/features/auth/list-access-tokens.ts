import { listAccessTokens as listRows } from '#server/db/people/access-tokens.ts'
import type { AccessToken } from '#server/domain/identity/access-token.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** The caller's valid access tokens, newest first. */
export async function listAccessTokens(system: System, actor: Actor): Promise<AccessToken[]> {
  const { db, clock } = system
  const now = clock.now()
  const own = mustBeSignedIn(actor)
  const { userId } = await authorizeOrRecord(db, actor, 'access-tokens.read-own', own, now)
  return await listRows(db, userId, now)
}
