import { findHoldings } from '#server/db/signing-sessions/ceremonies.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { whoseTurn } from '#server/domain/signing/session/turns.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * The names of the signers whose turn it is on each of these documents; documents that no session holds are absent.
 *
 * @param documentIds those of a page of the office's list
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listAwaited(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentIds }: { documentIds: readonly DocumentId[] },
): Promise<Map<DocumentId, string[]>> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'document.read', own, clock.now())
  const awaited = new Map<DocumentId, string[]>()
  for (const [id, { session, signers, signedBy }] of await findHoldings(db, documentIds))
    if (session.officeId === officeId)
      awaited.set(
        id,
        whoseTurn(signers, signedBy).map(({ name }) => name),
      )
  return awaited
}
