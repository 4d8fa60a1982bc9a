import { Problem } from '#server/domain/problem.ts'
import type { FoundVerification, ReadVerificationOutcome } from './read-verification.ts'

/**
 * Returns the verification of a complete document, for files that only such a document has.
 *
 * @throws {Problem} `not-found`; `being-signed` or `never-completed` for a document that is not complete
 */
export function mustBeComplete(outcome: ReadVerificationOutcome): FoundVerification {
  if (outcome.kind === 'found') return outcome
  if (outcome.kind === 'not-found') throw new Problem('not-found', 'no public document')
  const { progress, document } = outcome
  throw new Problem(
    progress === 'being-signed' ? 'being-signed' : 'never-completed',
    `${document.id} is not complete`,
  )
}
