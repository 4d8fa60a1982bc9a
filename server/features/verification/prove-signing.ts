import { formatInclusionProof } from '#server/domain/audit/inclusion-proof.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { mustBeComplete } from './must-be-complete.ts'
import { type ReadVerification, readVerification } from './read-verification.ts'

/**
 * Public inclusion proofs that the log contains the signing events of a document, one for each signed version.
 * They reveal only hashes and positions. We have checked which event each leaf stands for; others can check it
 * with the event's bytes from the evidence package.
 *
 * @throws {Problem} `not-found` for a document that is not public, and while there is no proof yet; see
 *   `mustBeComplete`
 */
export async function proveSigning(system: System, actor: Actor, input: ReadVerification) {
  const { log, document } = mustBeComplete(await readVerification(system, actor, input))
  if (log.kind !== 'proven') throw new Problem('not-found', `${document.id} is not proven yet`)
  return { folio: document.folio, proofs: log.proofs.map(formatInclusionProof).join('') }
}
