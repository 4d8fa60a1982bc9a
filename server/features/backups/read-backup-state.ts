import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { type BackupState, findBackupState } from './find-backup-state.ts'

/**
 * When the last backup of the installation was made, and whether the next one is due.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function readBackupState(system: System, actor: Actor): Promise<BackupState> {
  const { db, clock } = system
  const at = clock.now()
  await authorizeOrRecord(db, actor, 'office.read', mustBeSignedIn(actor), at)
  return (await findBackupState(system, at)) ?? { last: undefined, dueAt: null, isOverdue: false }
}
