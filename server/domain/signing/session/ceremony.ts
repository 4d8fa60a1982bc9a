import type { DocumentId, SignerId } from '#server/domain/ids.ts'
import type { Signer } from './signer.ts'
import type { SigningSession } from './signing-session.ts'
import { type SignedBy, stillToSign, whoseTurn } from './turns.ts'

/** A signing session with its documents, signers and signatures. */
export type Ceremony = {
  session: SigningSession
  /** In display order. */
  documents: readonly SessionDocument[]
  /** By position, including replaced signers. */
  signers: readonly Signer[]
  /** The signers of each document in this session; every document has an entry. */
  signedBy: ReadonlyMap<DocumentId, SignedBy>
}

export type SessionDocument = {
  id: DocumentId
  /** The complete version that its people chose to add signatures to; null for a document that was not complete. */
  completedVersion: number | null
  /** The version that was there when the session was opened; null before. */
  baseVersion: number | null
  /**
   * Names of the empty fields on its signature sheet, by signer position; empty for a document that was
   * uploaded with signatures, which gets no sheet.
   */
  fields: readonly string[]
}

/** One document of a session: of hundreds, a signature needs no other. */
export type HeldDocument = Pick<Ceremony, 'session' | 'signers'> & {
  document: SessionDocument
  /** The signers who have signed it in this session. */
  signedBy: SignedBy
}

const NO_SIGNERS: SignedBy = new Set()

export const signedByOn = ({ signedBy }: Ceremony, documentId: DocumentId): SignedBy =>
  signedBy.get(documentId) ?? NO_SIGNERS

/** The session after one more signature. */
export function withSignature(
  ceremony: Ceremony,
  documentId: DocumentId,
  signerId: SignerId,
): Ceremony {
  const onDocument = new Set([...signedByOn(ceremony, documentId), signerId])
  return { ...ceremony, signedBy: new Map([...ceremony.signedBy, [documentId, onDocument]]) }
}

/** Whether every required signer has signed the document. */
export const isSignedByAll = (ceremony: Ceremony, documentId: DocumentId) =>
  stillToSign(ceremony.signers, signedByOn(ceremony, documentId)).length === 0

/** Whether the signer has signed each document of the session. */
export const hasSignedAll = (ceremony: Ceremony, signerId: SignerId) =>
  ceremony.documents.every(({ id }) => signedByOn(ceremony, id).has(signerId))

/** Whether the signer has signed any document of the session, and so keeps a copy. */
export const hasSignedAny = (ceremony: Ceremony, signerId: SignerId) =>
  ceremony.documents.some(({ id }) => signedByOn(ceremony, id).has(signerId))

/** Whether the session has all its signatures. */
export const isComplete = (ceremony: Ceremony) =>
  ceremony.documents.every(({ id }) => isSignedByAll(ceremony, id))

/** How many of the required signatures were made. */
export type Progress = { made: number; wanted: number }

/** Each signer who was not replaced signs each document once. */
export function progressOf({ documents, signers, signedBy }: Ceremony): Progress {
  const asked = signers.filter(({ state }) => state !== 'replaced').length
  const made = documents.reduce((sum, { id }) => sum + (signedBy.get(id)?.size ?? 0), 0)
  return { made, wanted: asked * documents.length }
}

/** The empty field reserved for this signer; undefined if none was prepared. */
export const fieldOf = ({ fields }: SessionDocument, { place }: Signer) => fields[place - 1]

/** The signers who can sign at least one document now. */
export function signersInTurn(ceremony: Ceremony): Signer[] {
  const { documents, signers } = ceremony
  if (ceremony.session.state !== 'open') return []
  const inTurn = documents.flatMap(({ id }) => whoseTurn(signers, signedByOn(ceremony, id)))
  return [...new Set(inTurn)]
}
