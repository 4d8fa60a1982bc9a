import { findCurrentDocuments } from '#server/db/documents/current-documents.ts'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { findOffices } from '#server/db/people/offices.ts'
import { findHoldings } from '#server/db/signing-sessions/ceremonies.ts'
import { findLatestSession } from '#server/db/signing-sessions/session-documents.ts'
import { listSigners } from '#server/db/signing-sessions/signers.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { mustTakeSignatures } from '#server/domain/documents/document-state.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { DocumentId, SignerId, UserId } from '#server/domain/ids.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import type { HeldDocument } from '#server/domain/signing/session/ceremony.ts'

/** A document with everything that decides who may sign it and how the signature looks. */
export type Signable = {
  document: Document
  /** The current version. */
  version: DocumentVersion
  /** Whether the uploaded file had signatures; it gets no signature sheet. */
  arrivedSigned: boolean
  office: Office
  /** The session that holds the document; undefined if it can be signed directly. */
  held: HeldDocument | undefined
}

/** Does not check access. @throws {Problem} `not-found` */
export async function findSignable(
  db: Reader,
  { documentId }: { documentId: DocumentId },
): Promise<Signable> {
  const [signable] = await listSignables(db, [documentId])
  if (!signable) throw new Problem('not-found', `no document ${documentId}`)
  return signable
}

/** The same for several documents, in the order of the ids. @throws {Problem} `not-found` */
export async function listSignables(
  db: Reader,
  documentIds: readonly DocumentId[],
): Promise<Signable[]> {
  const documents = await findCurrentDocuments(db, documentIds)
  const holdings = await findHoldings(db, documentIds)
  const offices = await findOffices(
    db,
    [...documents.values()].map(({ document }) => document.officeId),
  )
  return documentIds.map((id) => {
    const current = documents.get(id)
    if (!current) throw new Problem('not-found', `no document ${id}`)
    const office = offices.get(current.document.officeId)
    if (!office) throw new Error(`${id} has no office`)
    return { ...current, office, held: holdings.get(id) }
  })
}

/**
 * Checks that the signer signs what they saw: the version on the screen is the current one, or only signatures
 * of the same session, which do not change the pages, were added since.
 *
 * @param seen the version number on the screen
 * @returns that version
 * @throws {Problem} `document-final`, `wrong-state` when the document accepts no more signatures; `stale-version` when its
 *   content changed
 */
export async function findSeen(
  db: Reader,
  { document, version, held }: Signable,
  seen: number,
): Promise<DocumentVersion> {
  mustTakeSignatures(document)
  if (seen === document.version) return version
  const versions = await listVersions(db, document.id)
  const since = versions.filter((one) => one.version > seen)
  const found = versions.find((one) => one.version === seen)
  const isOfSession = ({ cause, signer }: DocumentVersion) =>
    cause === 'signed' && held?.signers.some(({ id }) => id === signer)
  if (!found || !since.every(isOfSession))
    throw new Problem('stale-version', `${document.id} is at ${document.version}, not ${seen}`)
  return found
}

/**
 * Gives precise errors to a signer with a stale page: they signed last in another window, or their session
 * ended meanwhile. Other checks would report a changed document, a missing permission or no document. While a
 * session holds the document, the signer's turn decides.
 *
 * @param seen the version number on the screen
 * @throws {Problem} `already-signed`, `session-over`
 */
export async function mustNotBeOver(
  db: Reader,
  actor: Actor,
  { document, held }: Signable,
  seen: number,
): Promise<void> {
  if (held) return
  const isTheirs = (signer: SignerId | null, userId: UserId | null) =>
    actor.kind === 'guest'
      ? signer === actor.signerId
      : actor.kind === 'person' && userId === actor.userId
  const versions = await listVersions(db, document.id)
  if (
    versions.some(
      (one) => one.version > seen && one.cause === 'signed' && isTheirs(one.signer, one.by),
    )
  )
    throw new Problem('already-signed', `${document.id} since version ${seen}`)
  const shown = versions.find(({ version }) => version === seen)
  const session = await findLatestSession(db, document.id)
  if (!shown || !session || (session.state !== 'cancelled' && session.state !== 'rejected')) return
  const signers = await listSigners(db, session.id)
  // Do not reveal the session to anyone else.
  if (!signers.some(({ id, userId }) => isTheirs(id, userId))) return
  if (shown.cause === 'prepared' || signers.some(({ id }) => id === shown.signer))
    throw new Problem('session-over', `${session.id} is ${session.state}`)
}

/**
 * Awaits a signature of the actor. If they completed the document meanwhile in another window, they learn that they
 * signed, not that the document is complete.
 *
 * @param seen the document and the version number that they sign
 * @throws {Problem} `already-signed`, `session-over`
 */
export async function unlessTheyDid<T>(
  db: Reader,
  actor: Actor,
  seen: { documentId: DocumentId; version: number },
  signing: Promise<T>,
): Promise<T> {
  try {
    return await signing
  } catch (error) {
    if (isProblem(error, 'document-final'))
      await mustNotBeOver(db, actor, await findSignable(db, seen), seen.version)
    throw error
  }
}

/**
 * The stricter check before writing: the document is still at this version.
 *
 * @throws {Problem} `document-final`, `wrong-state`, `stale-version`
 */
export function mustBeAt(document: Document, version: number): void {
  mustTakeSignatures(document)
  if (document.version !== version)
    throw new Problem('stale-version', `${document.id} is at ${document.version}, not ${version}`)
}
