import { formatInstant } from '#server/domain/time.ts'
import type { OwnRejection } from '#server/features/auth/guests/read-own-rejection.ts'
import { rejectionProofs } from '#server/words/signing.ts'

/** A guest's own rejection, as texts. */
export const ownRejectionView = ({ signer, session, office }: OwnRejection) => ({
  office: office.name,
  title: session.title,
  at: formatInstant(signer.stateSince, office.timeZone),
  reason: signer.stateReason as string | null,
  proof: signer.stateProof && rejectionProofs[signer.stateProof],
})

export type OwnRejectionView = ReturnType<typeof ownRejectionView>
