import { formatInclusionProof } from '#server/domain/audit/inclusion-proof.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { type ReadVerification, readVerification } from './read-verification.ts'

/**
 * For anybody: that the events which tell of the signed versions of a document, one of each, stand in the log; one proof
 * after the other. They show hashes and places and nothing of what happened: which event it is that a leaf stands for we
 * have checked, and others can with its bytes, from the package of evidence.
 *
 * @throws {Problem} `not-found` for whatever the page does not know, and while nothing is proven
 */
export async function proveSigning(system: System, actor: Actor, input: ReadVerification) {
  const found = await readVerification(system, actor, input)
  if (found.kind === 'not-found') throw new Problem('not-found', 'no signed document')
  const { log, document } = found
  if (log.kind !== 'proven') throw new Problem('not-found', `${document.id} is not proven yet`)
  return { folio: document.folio, proofs: log.proofs.map(formatInclusionProof).join('') }
}
