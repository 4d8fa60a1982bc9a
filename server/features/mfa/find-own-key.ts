import { findWebauthnCredential } from '#server/db/factors/webauthn-credentials.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import type { WebauthnCredentialId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

/** @throws {Problem} `not-found` for another person's key or a removed one */
export async function findOwnKey(
  { db }: Pick<System, 'db'>,
  { userId }: Person,
  id: WebauthnCredentialId,
): Promise<WebauthnCredential> {
  const key = await findWebauthnCredential(db, id)
  if (key?.userId !== userId || key.state === 'removed')
    throw new Problem('not-found', `${userId} has no key ${id}`)
  return key
}
