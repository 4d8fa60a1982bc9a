import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * Authorizes an upload before its form is shown.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function beginUpload(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<void> {
  await authorizeOrRecord(db, actor, 'document.upload', mustBeSignedIn(actor), clock.now())
}
