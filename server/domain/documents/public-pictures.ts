import { z } from 'zod'
import { DocumentId, SignerId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** Whether the public page of a document may show pictures of its pages. */
export const PublicPictures = z.object({
  state: z.enum(['on', 'off']),
  since: Instant,
  /** Null if no user decided: it was never on, or a party withdrew their consent. */
  by: UserId.nullable(),
})
export type PublicPictures = z.infer<typeof PublicPictures>

/** What a party of a document last said about these pictures. */
export const PictureConsent = z.object({
  documentId: DocumentId,
  /** A user, or else the signer of a session. */
  userId: UserId.nullable(),
  signerId: SignerId.nullable(),
  state: z.enum(['given', 'withdrawn']),
  since: Instant,
})
export type PictureConsent = z.infer<typeof PictureConsent>

type Party = Pick<PictureConsent, 'userId' | 'signerId'>

/** A user is one party in whatever session they sign; an external signer is one in each. */
export function partyKeyOf({ userId, signerId }: Party): UserId | SignerId {
  const key = userId ?? signerId
  if (key === null) throw new Error('a party without a name')
  return key
}

/** The parties without a consent that is in force, each once. */
export function partiesWithoutConsent<P extends Party>(
  parties: readonly P[],
  consents: readonly PictureConsent[],
): P[] {
  const given = new Set(consents.filter(({ state }) => state === 'given').map(partyKeyOf))
  const missing = new Map(parties.map((party) => [partyKeyOf(party), party]))
  return [...missing].filter(([key]) => !given.has(key)).map(([, party]) => party)
}
