import { Readable } from 'node:stream'
import { z } from 'zod'
import { findUploadedVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findConstanciaOverSignatures } from '#server/db/trust/constancias.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { zipLength, zipped } from '#server/domain/verification/evidence-package/zip.ts'
import { readInTurn } from '#server/steps/documents/read-in-turn.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { type CompletedVersion, findCompleted } from '#server/steps/signing/find-completed.ts'
import { isOutsideProtocol } from '#server/steps/signing/is-outside-protocol.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { judgeForEvidence } from './judge-for-evidence.ts'
import { type PackageScene, type Printing, packageContents } from './package-contents.ts'

export const BuildEvidencePackage = z.strictObject({ documentId: DocumentId })
export type BuildEvidencePackage = z.infer<typeof BuildEvidencePackage>

export type EvidencePackage = {
  folio: string
  bytes: number
  /** Produced while it is read, so no document is held in memory. */
  stream: () => ReadableStream<Uint8Array>
}

/**
 * Builds an archive with everything that proves a signed document: the files and their parts, the answers of
 * authorities, and the commands that verify all of it without this server. Logged before the first byte is
 * sent.
 *
 * @param print words the verdict
 * @param signal aborted when the user is gone: a package that waits for its turn is not built
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `wrong-state` for a document without a
 *   signature; `damaged-pdf`, `pdf-too-complex`, `stored-file-damaged`; `too-many-attempts` when many of theirs wait
 */
export async function buildEvidencePackage(
  system: System,
  actor: Actor,
  { documentId }: BuildEvidencePackage,
  print: Printing,
  signal?: AbortSignal,
): Promise<EvidencePackage> {
  const { db, eventQueue, clock } = system
  const at = clock.now()
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  await authorizeOrRecord(db, actor, 'document.export-evidence', document, at, subject)
  const completed = await findCompleted(db, document)
  if (!completed) throw new Problem('wrong-state', `${documentId} is ${document.state}`)
  const { version } = completed
  const files = await readInTurn(
    system,
    actor,
    async () => packageContents(system, await load(system, document, completed, at), print),
    signal,
  )
  await eventQueue.append({
    actor,
    at,
    action: 'document.downloaded',
    subject,
    details: { version: version.version, sha256: version.sha256, file: 'evidence' },
  })
  return {
    folio: document.folio,
    bytes: zipLength(files),
    stream: () =>
      Readable.toWeb(Readable.from(zipped(files, version.at))) as ReadableStream<Uint8Array>,
  }
}

async function load(
  system: System,
  document: Document,
  { version, isFurtherSigning }: CompletedVersion,
  at: Instant,
): Promise<PackageScene> {
  const { db } = system
  const office = await findOffice(db, document.officeId)
  const original = await findUploadedVersion(db, document.id)
  if (!office || !original) throw new Error(`${document.id} lost its office or a version`)
  const kept = await findConstanciaOverSignatures(db, document.id, version.version)
  const constancia = kept?.state === 'issued' ? (kept.answer ?? undefined) : undefined
  const asked = { constancia, at, zone: office.timeZone }
  const judging = judgeForEvidence(system, version, asked)
  const judged = await reportDamage(system, { document, version }, judging)
  const constanciaState = kept?.state ?? null
  const leavesProtocol = await isOutsideProtocol(db, document.id, true)
  const about = { document, office, original, version, isFurtherSigning, leavesProtocol }
  return { ...judged, ...about, constanciaState, at }
}
