import { Problem } from '#server/domain/problem.ts'
import type { FoundVerification, ReadVerificationOutcome } from './read-verification.ts'

/**
 * Returns the verification of a complete document, for files that only such a document has.
 *
 * @throws {Problem} `not-found`; `being-signed` or `never-completed` for a document that is not complete;
 *   `downloads-disabled` if its office offers no files
 */
export function mustBeComplete(outcome: ReadVerificationOutcome): FoundVerification {
  if (outcome.kind === 'found') {
    if (outcome.office.publicDownloads === 'allowed') return outcome
    throw new Problem('downloads-disabled', `${outcome.document.id} is shown without files`)
  }
  if (outcome.kind === 'not-found') throw new Problem('not-found', 'no public document')
  const { progress, document } = outcome
  throw new Problem(
    progress === 'being-signed' ? 'being-signed' : 'never-completed',
    `${document.id} is not complete`,
  )
}
