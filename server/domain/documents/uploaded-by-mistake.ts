import type { UserId } from '#server/domain/ids.ts'
import type { Document } from './document.ts'

/** Whether a signing session with the document was ever opened. */
export type SentToSign = { wasSentToSign: boolean }

/** The action that cancels a draft: users withdraw their own uploads until a signer was asked. */
export const cancellingAction = (
  { createdBy }: Pick<Document, 'createdBy'>,
  userId: UserId | undefined,
  { wasSentToSign }: SentToSign,
): 'document.withdraw-own' | 'document.cancel' =>
  createdBy === userId && !wasSentToSign ? 'document.withdraw-own' : 'document.cancel'

/** Whether the file may be removed. A document that was signed, or shown to a signer, is evidence. */
export const isPurgeable = (
  { state, version, purged }: Pick<Document, 'state' | 'version' | 'purged'>,
  { wasSentToSign }: SentToSign,
): boolean =>
  (state === 'draft' || state === 'cancelled') && version === 1 && !purged && !wasSentToSign
