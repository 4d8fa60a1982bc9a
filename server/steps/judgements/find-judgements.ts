import { listAcknowledgements } from '#server/db/documents/acknowledgements.ts'
import { awaitJudgements, findUploadJudgements } from '#server/db/documents/upload-judgements.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentId, OfficeId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  type Acknowledgement,
  isAcknowledged,
  judgementDigest,
  requiredStatements,
  type Statement,
  type UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'
import type { SigningIdentity } from '#server/steps/signing/authorize-party.ts'
import type { System } from '#server/system.ts'
import { judgeUpload, uploadedVersionOf } from './judge-upload.ts'

/**
 * The judgements of these documents of one office by the current verifier and its trusted authorities of today. A document without
 * one waits for the job that judges.
 */
export async function findJudgements(
  { db, trust }: System,
  officeId: OfficeId,
  documentIds: readonly DocumentId[],
): Promise<Map<DocumentId, UploadJudgement>> {
  const stored = await findUploadJudgements(db, documentIds)
  const isDependent = [...stored.values()].some((one) => one.trustFingerprint !== null)
  const trusted = isDependent ? await trust.fingerprint(officeId) : null
  const isCurrent = (fingerprint: string | null) => fingerprint === null || fingerprint === trusted
  return new Map([...stored].filter(([, { trustFingerprint }]) => isCurrent(trustFingerprint)))
}

/** For pages: also queues documents that have no judgement. */
export async function findOrAwaitJudgements(
  system: System,
  officeId: OfficeId,
  documentIds: readonly DocumentId[],
): Promise<Map<DocumentId, UploadJudgement>> {
  const { db, clock, trust } = system
  const found = await findJudgements(system, officeId, documentIds)
  const missing = documentIds.filter((id) => !found.has(id))
  if (missing.length === 0) return found
  const now = { trusted: await trust.fingerprint(officeId), at: clock.now() }
  await db.transaction((trx) => awaitJudgements(trx, missing, now))
  return found
}

/** What a signer still has to state about a document. */
export type Outstanding = {
  /** Undefined while the file waits to be judged. */
  judgement: UploadJudgement | undefined
  /** Empty if nothing is left. */
  statements: Statement[]
}

/** What the signer still has to state about each of these documents before signing it; for a page. */
export async function findOutstanding(
  system: System,
  officeId: OfficeId,
  documentIds: readonly DocumentId[],
  { userId, signerId }: SigningIdentity,
): Promise<Map<DocumentId, Outstanding>> {
  const judgements = await findOrAwaitJudgements(system, officeId, documentIds)
  const needing = [...judgements.values()].filter((one) => requiredStatements(one).length > 0)
  const by = userId ?? signerId
  const made = by
    ? await listAcknowledgements(
        system.db,
        needing.map(({ documentId }) => documentId),
        by,
      )
    : []
  return new Map(
    documentIds.map((id) => {
      const judgement = judgements.get(id)
      return [id, { judgement, statements: judgement ? leftOf(judgement, made) : [] }]
    }),
  )
}

const leftOf = (judgement: UploadJudgement, made: readonly Acknowledgement[]): Statement[] =>
  isAcknowledged(judgement, made) ? [] : requiredStatements(judgement)

/** Facts about the judgement, for the event of a signature; empty for a green file. */
export type AcknowledgedFacts = { verdict?: string; acknowledged?: string }

/**
 * Requires that the signer acknowledged the judgement of the file, if it is not green. Judges the file first if
 * that was not done.
 *
 * @throws {Problem} `acknowledgement-needed`
 */
export async function mustBeAcknowledged(
  system: System,
  { id: documentId, officeId }: Pick<Document, 'id' | 'officeId'>,
  identity: SigningIdentity,
): Promise<AcknowledgedFacts> {
  const found = (await findJudgements(system, officeId, [documentId])).get(documentId)
  const judgement =
    found ?? (await judgeUpload(system, await uploadedVersionOf(system, documentId)))
  if (requiredStatements(judgement).length === 0) return {}
  const by = identity.userId ?? identity.signerId
  const made = by ? await listAcknowledgements(system.db, [documentId], by) : []
  if (!isAcknowledged(judgement, made))
    throw new Problem('acknowledgement-needed', `${by} did not acknowledge ${documentId}`)
  return { verdict: judgement.verdict, acknowledged: judgementDigest(judgement) }
}
