import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { type Ceremony, signedByOn } from './ceremony.ts'
import type { Signer } from './signer.ts'
import { isOpenAt } from './signing-session.ts'
import { turnOf } from './turns.ts'

/**
 * The state of one document for one signer: to sign now, to sign after others, their own signed copy, or
 * nothing.
 */
export type HeldFor = 'now' | 'waiting' | 'signed' | 'nothing'

/** A signer who signed keeps access to their copy after the session ends; the others see it while it is open. */
export function heldFor(
  ceremony: Ceremony,
  signer: Signer,
  documentId: DocumentId,
  now: Instant,
): HeldFor {
  const turn = turnOf(signer, ceremony.signers, signedByOn(ceremony, documentId))
  if (turn === 'signed') return 'signed'
  return turn === 'gone' || !isOpenAt(ceremony.session, now) ? 'nothing' : turn
}

/**
 * The versions that a document had in this session, newest first: what its signers may see. Starts with the
 * version at opening; excludes versions of other sessions.
 *
 * @param versions all versions of the document, newest first
 */
export function versionsInSession(
  { documents, signers }: Ceremony,
  versions: readonly DocumentVersion[],
): DocumentVersion[] {
  const held = documents.find(({ id }) => id === versions[0]?.documentId)
  if (!held || held.baseVersion === null) return []
  const { baseVersion, fields } = held
  const isOurs = ({ version, cause, signer }: DocumentVersion) => {
    if (version === baseVersion) return true
    if (cause === 'signed') return signers.some(({ id }) => id === signer)
    // A signature sheet is appended once, at the opening; a second one belongs to another session.
    return cause === 'archived' || (version === baseVersion + 1 && fields.length > 0)
  }
  const since = versions.filter(({ version }) => version >= baseVersion).toReversed()
  const end = since.findIndex((version) => !isOurs(version))
  return (end === -1 ? since : since.slice(0, end)).toReversed()
}
