import { listLeaves, type StoredLeaf } from '#server/db/audit/audit-events.ts'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { parseCanonicalEvent } from '#server/domain/audit/event.ts'
import type { InclusionProof } from '#server/domain/audit/inclusion-proof.ts'
import type { TreeHead } from '#server/domain/audit/merkle-tree.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { proveLeaves } from '#server/steps/audit/prove-leaves.ts'
import type { System } from '#server/system.ts'

/** How it stands with the events that tell of the signatures of a document. */
export type SigningInLog =
  /** All of them stand in the tree that was signed. */
  | { kind: 'proven'; events: number[]; head: TreeHead; proofs: InclusionProof[] }
  /** The next checkpoint will count them. */
  | { kind: 'waiting'; events: number[] }
  /** They are not what was signed, do not tell of each signed version once, or are not there. */
  | { kind: 'unproven' }

export async function signingInLog(
  { db, settings }: System,
  { id, officeId }: Document,
): Promise<SigningInLog> {
  const leaves = await listLeaves(db, { officeId, subjectId: id }, { only: ['document.signed'] })
  const signedVersions = (await listVersions(db, id)).filter(({ cause }) => cause === 'signed')
  if (!tellOfEach(signedVersions, leaves)) return { kind: 'unproven' }
  const proven = await proveLeaves(db, leaves, settings.logKey.verifier)
  if (!proven) return { kind: 'unproven' }
  const events = leaves.map(({ seq }) => seq)
  const { signed, proofs } = proven
  if (!signed || proofs.length < events.length) return { kind: 'waiting', events }
  return { kind: 'proven', events, head: signed.head, proofs }
}

/** Whether there is one event for each of the versions, and no other. The columns of the log only find the rows. */
function tellOfEach(versions: readonly DocumentVersion[], leaves: readonly StoredLeaf[]): boolean {
  return (
    versions.length > 0 &&
    leaves.length === versions.length &&
    versions.every((version) => leaves.some((leaf) => tellsOf(version, leaf)))
  )
}

function tellsOf({ documentId, version, sha256 }: DocumentVersion, leaf: StoredLeaf): boolean {
  const told = eventIn(leaf)
  return (
    told?.action === 'document.signed' &&
    told.subject.kind === 'document' &&
    told.subject.id === documentId &&
    told.details.version === version &&
    told.details.sha256 === sha256
  )
}

/** What the bytes themselves say; undefined when they are no event, or one of another place. */
function eventIn({ seq, canonical }: StoredLeaf) {
  try {
    const said = parseCanonicalEvent(canonical)
    return said.seq === seq ? said.event : undefined
  } catch {
    return undefined
  }
}
