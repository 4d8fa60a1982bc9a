import { randomUUID } from 'node:crypto'
import { findCeremony } from '#server/db/ceremonies.ts'
import { discardMailAbout } from '#server/db/outbox.ts'
import { insertSigner, replaceSigner } from '#server/db/signers.ts'
import { findHoldingSession, insertSigningSession } from '#server/db/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { SignerId, SigningSessionId, type UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  type Ceremony,
  hasSignedAll,
  withSignature,
} from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import type { SigningParty } from './find-party.ts'
import { aboutSigner } from './tell-turns.ts'

/** A signature as its session knows it. */
export type CountedSignature = {
  /** The session as it was; undefined for one that the signature makes. */
  before: Ceremony | undefined
  /** The session with this signature. */
  ceremony: Ceremony
  signerId: SignerId
}

/**
 * Gives the signature its place in the session that holds the document; a direct one makes a session of one.
 * Under the lock of the session.
 *
 * @throws {Problem} `session-state` when the session was closed, or opened, meanwhile
 */
export async function countSignature(
  trx: Transaction,
  { party, at }: { party: SigningParty; at: Instant },
  document: Document,
): Promise<CountedSignature> {
  const { signer } = party
  if (!signer) return await beginSessionOfOne(trx, party, document, at)
  const ceremony = await findCeremony(trx, signer.signingSessionId)
  const current = ceremony?.signers.find(({ id }) => id === signer.id)
  if (ceremony?.session.state !== 'open' || current?.state !== 'pending')
    throw new Problem('session-state', `${signer.signingSessionId} was closed while it was signed`)
  const counted = withSignature(ceremony, document.id, signer.id)
  if (!hasSignedAll(counted, signer.id))
    return { before: ceremony, ceremony: counted, signerId: signer.id }
  const done = { ...current, state: 'signed', stateSince: at } as const
  if (!(await replaceSigner(trx, current, done)))
    throw new Problem('session-state', `${signer.id} is not pending any more`)
  await discardMailAbout(trx, [aboutSigner(signer)], 'already-signed', at)
  return { before: ceremony, ceremony: withSigner(counted, done), signerId: signer.id }
}

async function beginSessionOfOne(
  trx: Transaction,
  party: SigningParty,
  document: Document,
  at: Instant,
): Promise<CountedSignature> {
  const { userId } = party
  if (userId === null) throw new Error('only users of the office sign directly')
  if (await findHoldingSession(trx, document.id))
    throw new Problem('session-state', `${document.id} went into a session while it was signed`)
  const session = sessionOfOne(document, userId, at)
  const signer = onlySigner(session, party, at)
  const documents = [{ id: document.id, baseVersion: document.version, fields: [] }]
  await insertSigningSession(trx, session, documents)
  await insertSigner(trx, signer)
  const signedBy = new Map([[document.id, new Set([signer.id])]])
  const ceremony = { session, documents, signers: [signer], signedBy }
  return { before: undefined, ceremony, signerId: signer.id }
}

const sessionOfOne = (document: Document, userId: UserId, at: Instant): SigningSession => ({
  id: SigningSessionId.parse(randomUUID()),
  officeId: document.officeId,
  title: document.title,
  message: null,
  deadline: null,
  state: 'open',
  stateSince: at,
  stateBy: userId,
  stateReason: null,
  createdAt: at,
  createdBy: userId,
})

const onlySigner = (session: SigningSession, party: SigningParty, at: Instant): Signer => ({
  id: SignerId.parse(randomUUID()),
  signingSessionId: session.id,
  place: 1,
  step: 1,
  userId: party.userId,
  name: party.name,
  email: null,
  rfc: party.rfc,
  character: null,
  state: 'signed',
  stateSince: at,
  stateReason: null,
  replacedBy: null,
  remindedAt: null,
})

const withSigner = (ceremony: Ceremony, signer: Signer): Ceremony => ({
  ...ceremony,
  signers: ceremony.signers.map((one) => (one.id === signer.id ? signer : one)),
})
