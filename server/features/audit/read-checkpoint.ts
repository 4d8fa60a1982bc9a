import { findNewestCheckpoint, type StoredCheckpoint } from '#server/db/audit/audit-checkpoints.ts'
import { findOpenLog } from '#server/db/audit/logs.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type LogCheckpoint = {
  /** Undefined before the first one. */
  newest: StoredCheckpoint | undefined
  /** The public key that verifies checkpoints. */
  verifierKey: string
}

/**
 * The newest checkpoint of the office's log. A reader who keeps a copy can detect later truncation.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function readCheckpoint(
  { db, clock, settings }: System,
  actor: Actor,
): Promise<LogCheckpoint> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'audit.read', own, clock.now())
  const log = await findOpenLog(db, officeId)
  return {
    newest: await findNewestCheckpoint(db, log.number),
    verifierKey: formatVerifierKey(settings.logKeys(log).verifier),
  }
}
