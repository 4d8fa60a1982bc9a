import { randomUUID } from 'node:crypto'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import {
  countStillToSign,
  findCeremony,
  findHolding,
} from '#server/db/signing-sessions/ceremonies.ts'
import { findHoldingSession } from '#server/db/signing-sessions/session-documents.ts'
import { insertSigners, replaceSigner } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { SignerId, SigningSessionId, type UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  type Ceremony,
  type HeldDocument,
  withSignature,
} from '#server/domain/signing/session/ceremony.ts'
import { OF_OFFICE } from '#server/domain/signing/session/requested-character.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { type SignedBy, stillToSign, whoseTurn } from '#server/domain/signing/session/turns.ts'
import type { Instant } from '#server/domain/time.ts'
import type { SigningParty } from '#server/steps/signing/authorize-party.ts'
import { aboutSigner } from '#server/steps/signing/notify-signers.ts'

/** A signature's effect on its session. */
export type CountedSignature = {
  session: SigningSession
  signerId: SignerId
  /** True if the document needs no more signatures. */
  isLastOnDocument: boolean
  /**
   * The whole session, only if the signature finishes its signer or gives others their turn. Loading the
   * session for every signature would be quadratic.
   */
  change: SessionChange | undefined
}

type SessionChange = {
  /** Undefined if the signature creates the session. */
  before: Ceremony | undefined
  /** Includes this signature. */
  after: Ceremony
}

/**
 * Records the signature in the session that holds the document; a direct signature creates a session of one.
 * The caller must hold the session's lock.
 *
 * @throws {Problem} `session-over` when the session was closed meanwhile, `session-state` when another was
 *   opened
 */
export async function countSignature(
  trx: Transaction,
  { party, at }: { party: SigningParty; at: Instant },
  document: Document,
): Promise<CountedSignature> {
  const { signer } = party
  if (!signer) return await beginSessionOfOne(trx, party, document, at)
  const { id: signerId, signingSessionId } = signer
  const held = await findHolding(trx, document.id)
  const current = held?.signers.find(({ id }) => id === signerId)
  if (
    held?.session.id !== signingSessionId ||
    held.session.state !== 'open' ||
    current?.state !== 'pending'
  )
    throw new Problem('session-over', `${signingSessionId} was closed while it was signed`)
  const signedBy = new Set([...held.signedBy, signerId])
  const counted = {
    session: held.session,
    signerId,
    isLastOnDocument: stillToSign(held.signers, signedBy).length === 0,
  }
  // The signature row is not written yet.
  const isDone = (await countStillToSign(trx, signer)) <= 1
  if (!isDone && !givesTurns(held, signedBy)) return { ...counted, change: undefined }
  const before = await findCeremony(trx, signingSessionId)
  if (!before) throw new Error(`${signingSessionId} is gone`)
  const after = withSignature(before, document.id, signerId)
  if (!isDone) return { ...counted, change: { before, after } }
  const done = { ...current, state: 'signed', stateSince: at } as const
  if (!(await replaceSigner(trx, current, done)))
    throw new Problem('session-state', `${signerId} is not pending any more`)
  await discardMailAbout(trx, [aboutSigner(signer)], 'already-signed', at)
  return { ...counted, change: { before, after: withSigner(after, done) } }
}

/** Whether other signers of the document get their turn. */
function givesTurns({ signers, signedBy }: HeldDocument, signed: SignedBy): boolean {
  const had = new Set(whoseTurn(signers, signedBy).map(({ id }) => id))
  return whoseTurn(signers, signed).some(({ id }) => !had.has(id))
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
  const documents = [
    { id: document.id, completedVersion: null, baseVersion: document.version, fields: [] },
  ]
  await insertSigningSession(trx, session, documents)
  await insertSigners(trx, [signer])
  const signedBy = new Map([[document.id, new Set([signer.id])]])
  const after = { session, documents, signers: [signer], signedBy }
  const change = { before: undefined, after }
  return { session, signerId: signer.id, isLastOnDocument: true, change }
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
  act: null,
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
  character: OF_OFFICE,
  state: 'signed',
  stateSince: at,
  stateReason: null,
  replacedBy: null,
  stateProof: null,
  remindedAt: null,
})

const withSigner = (ceremony: Ceremony, signer: Signer): Ceremony => ({
  ...ceremony,
  signers: ceremony.signers.map((one) => (one.id === signer.id ? signer : one)),
})
