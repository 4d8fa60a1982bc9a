import { awaitJudgement, replaceUploadJudgement } from '#server/db/documents/upload-judgements.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { InspectedUpload } from './inspect-upload.ts'

/**
 * The judgement of a file that was just uploaded. One without signatures and without unseen content needs no verifier. The
 * others wait for the job that judges: a stranger's file must not make the upload wait.
 */
export async function beginJudgement(
  trx: Transaction,
  { at, ...uploaded }: Pick<DocumentVersion, 'documentId' | 'version' | 'sha256' | 'at'>,
  { signatures, unseen, findings }: InspectedUpload,
): Promise<void> {
  if (signatures > 0 || unseen.length > 0) return await awaitJudgement(trx, uploaded, at, findings)
  const plain = { verdict: 'NO_SIGNATURE', headline: null, trustFingerprint: null } as const
  await replaceUploadJudgement(trx, { ...uploaded, ...plain, findings, at })
}
