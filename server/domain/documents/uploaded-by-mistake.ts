import type { UserId } from '#server/domain/ids.ts'
import type { Document } from './document.ts'
import type { DocumentVersion } from './document-version.ts'

/** Whether a signing session with the document was ever opened. */
export type SentToSign = { wasSentToSign: boolean }

/** The action that cancels a draft: users withdraw their own uploads until a signer was asked. */
export const cancellingAction = (
  { createdBy }: Pick<Document, 'createdBy'>,
  userId: UserId | undefined,
  { wasSentToSign }: SentToSign,
): 'document.withdraw-own' | 'document.cancel' =>
  createdBy === userId && !wasSentToSign ? 'document.withdraw-own' : 'document.cancel'

/** Whether the files may be removed. A document that was signed, or shown to a signer, is evidence. */
export function isPurgeable(
  { state, version, purged }: Pick<Document, 'state' | 'version' | 'purged'>,
  { wasSentToSign, versions }: SentToSign & { versions: readonly Pick<DocumentVersion, 'cause'>[] },
): boolean {
  const isOnlyUploaded =
    versions.length === version && versions.every(({ cause }) => cause === 'uploaded')
  return (state === 'draft' || state === 'cancelled') && isOnlyUploaded && !purged && !wasSentToSign
}
