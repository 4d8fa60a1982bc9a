import { listLivePresence } from '#server/db/presence/presence-proofs.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  isPresentFor,
  type PresenceFacts,
  type ShownDocument,
} from '#server/domain/signing/presence.ts'
import type { Instant } from '#server/domain/time.ts'

/** The signer; `userId` is null for a guest. */
export type PresentSigner = { userId: UserId | null }

/**
 * The facts about the signer's presence for these documents, each with the content on their screen; undefined
 * if the office requires a proof and none covers all of them.
 */
export async function findPresence(
  db: Reader,
  office: Pick<Office, 'presence'>,
  { userId }: PresentSigner,
  documents: readonly ShownDocument[],
  now: Instant,
): Promise<PresenceFacts | undefined> {
  if (userId === null) return { presence: 'efirma', presenceProof: null }
  if (office.presence === 'none') return { presence: 'not-asked', presenceProof: null }
  const live = await listLivePresence(db, userId, now)
  const proof = live.find((one) => isPresentFor(one, userId, documents, now))
  return proof && { presence: proof.means.method, presenceProof: proof.id }
}

/**
 * The same, but requires presence. Put the result into the details of the signature's event.
 *
 * @throws {Problem} `presence-needed`
 */
export async function mustBePresent(
  db: Reader,
  office: Pick<Office, 'presence'>,
  signer: PresentSigner,
  documents: readonly ShownDocument[],
  now: Instant,
): Promise<PresenceFacts> {
  const found = await findPresence(db, office, signer, documents, now)
  if (!found) throw new Problem('presence-needed', `${signer.userId} has proved no presence`)
  return found
}
