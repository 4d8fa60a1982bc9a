import { listLeaves, type StoredLeaf } from '#server/db/audit/audit-events.ts'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { parseCanonicalEvent } from '#server/domain/audit/event.ts'
import type { InclusionProof } from '#server/domain/audit/inclusion-proof.ts'
import type { TreeHead } from '#server/domain/audit/merkle-tree.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { proveLeaves } from '#server/steps/audit/prove-leaves.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import type { System } from '#server/system.ts'

/** The state of a document's signing events in the log. */
export type SigningInLog =
  /** All events are in the signed tree of their log. */
  | { kind: 'proven'; events: number[]; heads: TreeHead[]; proofs: InclusionProof[] }
  /** The next checkpoint will cover them. */
  | { kind: 'waiting'; events: number[] }
  /** Events are missing, changed, or not exactly one per signed version. */
  | { kind: 'unproven' }

/** More than a file can have signatures. */
const MOST_SIGNED = 2000

/** @param complete signatures that a session adds to it are not public yet */
export async function signingInLog(
  { db, settings }: Pick<System, 'db' | 'settings'>,
  { id, officeId }: Document,
  complete: DocumentVersion,
): Promise<SigningInLog> {
  const all = await listLeaves(
    db,
    { officeId, subjectId: id },
    { actions: ['document.signed'], limit: MOST_SIGNED },
    turnTaker(),
  )
  const signed = (await listVersions(db, id)).filter(({ cause }) => cause === 'signed')
  const isLater = ({ version }: DocumentVersion) => version > complete.version
  const leaves = all.filter((leaf) => !signed.filter(isLater).some((one) => isAbout(one, leaf)))
  const signedVersions = signed.filter((version) => !isLater(version))
  if (!coversEach(signedVersions, leaves)) return { kind: 'unproven' }
  const proven = await proveLeaves(db, leaves, settings.logKeys)
  if (!proven) return { kind: 'unproven' }
  const events = leaves.map(({ seq }) => seq)
  const { signed: trees, proofs } = proven
  if (proofs.length < events.length) return { kind: 'waiting', events }
  return { kind: 'proven', events, heads: trees.map(({ head }) => head), proofs }
}

/**
 * Whether there is exactly one event for each version. Uses the signed bytes; the columns only find the rows.
 */
function coversEach(versions: readonly DocumentVersion[], leaves: readonly StoredLeaf[]): boolean {
  return (
    versions.length > 0 &&
    leaves.length === versions.length &&
    versions.every((version) => leaves.some((leaf) => isAbout(version, leaf)))
  )
}

function isAbout({ documentId, version, sha256 }: DocumentVersion, leaf: StoredLeaf): boolean {
  const event = eventIn(leaf)
  return (
    event?.action === 'document.signed' &&
    event.subject.kind === 'document' &&
    event.subject.id === documentId &&
    event.details.version === version &&
    event.details.sha256 === sha256
  )
}

/** Parses the event; undefined if it is not valid or has another position. */
function eventIn({ seq, canonical }: StoredLeaf) {
  try {
    const said = parseCanonicalEvent(canonical)
    return said.seq === seq ? said.event : undefined
  } catch {
    return undefined
  }
}
