import type { DocumentId, SignerId } from '#server/domain/ids.ts'
import type { Signer } from './signer.ts'
import type { SigningSession } from './signing-session.ts'
import { type SignedBy, stillToSign, whoseTurn } from './turns.ts'

/** A signing session with all that is in it, as it stands. */
export type Ceremony = {
  session: SigningSession
  /** In the order in which they are shown. */
  documents: readonly SessionDocument[]
  /** By their place; those who were replaced, too. */
  signers: readonly Signer[]
  /** Whose signatures of this session each document bears; none is absent. */
  signedBy: ReadonlyMap<DocumentId, SignedBy>
}

export type SessionDocument = {
  id: DocumentId
  /** The version that was there when the session was opened; null before. */
  baseVersion: number | null
  /**
   * Names of the fields that wait on its signature sheet, by the place of the signers; empty for a document
   * that arrived signed, which gets no sheet.
   */
  fields: readonly string[]
}

/** What a session is for one of its documents: of hundreds, a signature needs no other. */
export type HeldDocument = Pick<Ceremony, 'session' | 'signers'> & {
  document: SessionDocument
  /** Whose signatures of this session it bears. */
  signedBy: SignedBy
}

const NOBODY: SignedBy = new Set()

export const signedByOn = ({ signedBy }: Ceremony, documentId: DocumentId): SignedBy =>
  signedBy.get(documentId) ?? NOBODY

/** The same session after one more signature. */
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

/** Whether the signer has signed any document of the session: of that they keep a copy. */
export const hasSignedAny = (ceremony: Ceremony, signerId: SignerId) =>
  ceremony.documents.some(({ id }) => signedByOn(ceremony, id).has(signerId))

/** Whether every signature is there that the session waits for. */
export const isComplete = (ceremony: Ceremony) =>
  ceremony.documents.every(({ id }) => isSignedByAll(ceremony, id))

/** How many of the signatures that the session wants are there. */
export function progressOf({ documents, signers, signedBy }: Ceremony): {
  made: number
  wanted: number
} {
  const asked = signers.filter(({ state }) => state !== 'replaced').length
  const made = documents.reduce((sum, { id }) => sum + (signedBy.get(id)?.size ?? 0), 0)
  return { made, wanted: asked * documents.length }
}

/** The empty field that waits for this signer; undefined where none was prepared. */
export const fieldOf = ({ fields }: SessionDocument, { place }: Signer) => fields[place - 1]

/** Those who can sign at least one document now. */
export function signersInTurn(ceremony: Ceremony): Signer[] {
  const { documents, signers } = ceremony
  if (ceremony.session.state !== 'open') return []
  const inTurn = documents.flatMap(({ id }) => whoseTurn(signers, signedByOn(ceremony, id)))
  return [...new Set(inTurn)]
}
