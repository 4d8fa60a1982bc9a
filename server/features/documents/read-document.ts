import { z } from 'zod'
import { findEventAt } from '#server/db/audit/audit-events.ts'
import { findArchive } from '#server/db/documents/archives.ts'
import { findCurrentDocuments } from '#server/db/documents/current-documents.ts'
import { findVersion, listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findPublicDocument } from '#server/db/documents/public-documents.ts'
import { findSignatureReport, listSignatures } from '#server/db/documents/signatures.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser, findUsers } from '#server/db/people/users.ts'
import { wasSentToSign } from '#server/db/signing-sessions/session-documents.ts'
import { findSigners } from '#server/db/signing-sessions/signers.ts'
import type { Reader } from '#server/db/transaction.ts'
import { findCertificates } from '#server/db/trust/certificates.ts'
import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import {
  carriesOwnSignatures,
  type DocumentVersion,
} from '#server/domain/documents/document-version.ts'
import { type PublicAddress, publicAddressOf } from '#server/domain/documents/public-address.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import { DocumentId, type OfficeId, type UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { PresenceProof } from '#server/domain/signing/presence.ts'
import type { StampForecast } from '#server/domain/signing/stamp/stamp-outlook.ts'
import type { Instant } from '#server/domain/time.ts'
import type { UploadJudgement } from '#server/domain/verification/upload-judgement.ts'
import type { CacheOf } from '#server/ports/memory.ts'
import { findPictureConsents } from '#server/steps/documents/public-pictures.ts'
import { findJudgements, findOrAwaitJudgements } from '#server/steps/judgements/find-judgements.ts'
import { listPresenceBehind } from '#server/steps/signing/export-presence.ts'
import { type CompletedVersion, findCompleted } from '#server/steps/signing/find-completed.ts'
import { foreseeStamp } from '#server/steps/signing/foresee-stamp.ts'
import type { System } from '#server/system.ts'
import { findEndings, type SessionEnding } from './find-endings.ts'
import { findReadable } from './find-readable.ts'
import { type DocumentSession, findSession } from './find-session.ts'

export const ReadDocument = z.object({ documentId: DocumentId })
export type ReadDocument = z.infer<typeof ReadDocument>

type DocumentSignatureDetail = DocumentSignature & {
  certificate: HeldCertificate
  signerName: string
  /** The signer's proof of presence; undefined where none was required. */
  presence: PresenceProof | undefined
}

export type DocumentDetail = {
  document: Document
  author: User
  /** Where the public finds it now; null if it does not. */
  publicAddress: PublicAddress | null
  /** The notary who decided on its public look-up. */
  lookupBy: User | undefined
  /** Newest first; never empty. */
  versions: DocumentVersion[]
  /** In signing order. */
  signatures: DocumentSignatureDetail[]
  /** The signature fields of the file with the last signature, in its order; those that its verdict lists. */
  fieldsInFile: string[]
  /** The last complete version; undefined if there is none. */
  completed: CompletedVersion | undefined
  /** Null for a document not signed here, and where the office uses no timestamps. */
  archive: DocumentArchive | null
  /** Who cancelled the draft, and why; null if it is not cancelled or was cancelled with its session. */
  cancelled: { at: Instant; by: string; reason: string } | null
  /** Who purged its file, and why; null while it is there. */
  purged: { at: Instant; by: string; reason: string } | null
  /** Whether a signer was ever asked to sign it. */
  wasSentToSign: boolean
  /** How its sessions ended that did not complete, oldest first. */
  endings: SessionEnding[]
  /** The session that holds or held it; null if it was never in one. */
  session: DocumentSession | null
  /** What was found in the file as it arrived; undefined while it waits to be judged. */
  judgement: UploadJudgement | undefined
  /** A certification or a lock in the uploaded file allows no more signatures. */
  isClosedByFile: boolean
  /**
   * Who decided about pictures of the pages on the public page, and the signers who do not consent to them. Undefined
   * unless the document is complete and all its signers can be asked.
   */
  pictures: { by: User | undefined; missing: string[] } | undefined
  /**
   * Where the next signature will be visible, or why it will not; undefined for a document with a sheet, and for one that
   * waits for no signature.
   */
  stamp: StampForecast | undefined
}

/** The state of the long-term proof; `fault` is null before the first attempt. */
export type DocumentArchive =
  | { kind: 'kept'; renewsAt: Instant }
  | { kind: 'waiting'; fault: string | null; nextTry: Instant }
  /** The file allows no changes. */
  | { kind: 'left-out' }

/**
 * Everything about one document. Logs the view.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readDocument(
  system: System,
  actor: Actor,
  input: ReadDocument,
): Promise<DocumentDetail> {
  const { db, eventQueue, clock, settings } = system
  const at = clock.now()
  const { document, subject } = await findReadable(system, actor, input.documentId, at)
  const isClosedByFile = await isClosed(system, document)
  const stamp = isClosedByFile ? undefined : await stampOn(system, document)
  // A cancelled document cannot be signed: its file is not judged for its page.
  const find = document.state === 'cancelled' ? findJudgements : findOrAwaitJudgements
  const judgement = (await find(system, document.officeId, [document.id])).get(document.id)

  const publicAddress = await findPublicAddress(db, document, settings.publicOrigin)
  const read = await detailOf(db, document)
  const details = { version: read.document.version }
  await eventQueue.append({ actor, at, action: 'document.viewed', subject, details })
  return { ...read, publicAddress, isClosedByFile, stamp, judgement }
}

/** By office and content: users who open a page again and again have its file inspected once. */
const CLOSED: CacheOf<Promise<boolean>> = { name: 'files-closed-to-signatures', capacity: 1_000 }

/** Only for a draft that was uploaded with signatures; documents signed here are known. */
async function isClosed(system: System, { id, state, version }: Document): Promise<boolean> {
  const current = state === 'draft' ? await findVersion(system.db, id, version) : undefined
  if (!current || current.signaturesBrought === 0) return false
  const closed = system.memory.cache(CLOSED)
  const key = `${current.officeId} ${current.sha256}`
  try {
    return await (closed.find(key) ?? closed.keep(key, isFileClosed(system, current)))
  } catch (error) {
    closed.forget(key)
    // The workers are busy: signing will report it.
    if (error instanceof Problem) return false
    throw error
  }
}

async function stampOn(system: System, document: Document): Promise<StampForecast | undefined> {
  const { id, state } = document
  const waits = state === 'draft' || state === 'signing'
  const current = waits ? (await findCurrentDocuments(system.db, [id])).get(id) : undefined
  return current && (await foreseeStamp(system, current))
}

async function isFileClosed({ blobs, pdf }: System, version: DocumentVersion): Promise<boolean> {
  const { mayBeSigned } = await blobs.withFile(version, (file) => pdf.inspect(file))
  return !mayBeSigned
}

async function detailOf(
  db: Reader,
  seen: Document,
): Promise<Omit<DocumentDetail, 'publicAddress' | 'isClosedByFile' | 'stamp' | 'judgement'>> {
  const document = mustBeThere(await findDocument(db, seen.id))
  const author = mustBeThere(await findUser(db, document.createdBy))
  const versions = await listVersions(db, document.id)
  const made = await listSignatures(db, document.id)
  const signatures = await describeSignatures(db, made, document.id)
  const last = made.at(-1)
  const report = last && (await findSignatureReport(db, last))
  return {
    document,
    author,
    lookupBy: await findAuthorOf(db, document.publicLookup),
    pictures: await picturesOf(db, document, signatures),
    versions,
    signatures,
    fieldsInFile: report?.signatures.map(({ field }) => field) ?? [],
    completed: await findCompleted(db, document),
    archive: await archiveOf(db, document, versions),
    session: await findSession(db, document.id),
    cancelled: await findCancellation(db, document),
    purged: await findPurge(db, document),
    wasSentToSign: await wasSentToSign(db, document.id),
    endings: await findEndings(db, document.id),
  }
}

/** Asks what the public page asks: it does not find a document that was never sent to be signed. */
async function findPublicAddress(db: Reader, { id }: Document, publicOrigin: string) {
  const found = await findPublicDocument(db, { id }, { officeId: undefined })
  return found ? publicAddressOf(publicOrigin, found) : null
}

async function findAuthorOf(db: Reader, { by }: { by: UserId | null }): Promise<User | undefined> {
  return by === null ? undefined : await findUser(db, by)
}

async function picturesOf(
  db: Reader,
  document: Document,
  described: readonly DocumentSignatureDetail[],
): Promise<DocumentDetail['pictures']> {
  if (document.state !== 'signed') return undefined
  const { missing, canBeAsked } = await findPictureConsents(db, document, document)
  if (!canBeAsked) return undefined
  const ids = new Set(missing.map(({ id }) => id))
  return {
    by: await findAuthorOf(db, document.publicPictures),
    missing: described.filter(({ id }) => ids.has(id)).map(({ signerName }) => signerName),
  }
}

async function archiveOf(
  db: Reader,
  { id, officeId, version, state }: Document,
  [current]: readonly DocumentVersion[],
): Promise<DocumentArchive | null> {
  const archive = await findArchive(db, id)
  const isAboutThis = archive?.version === version
  if (isAboutThis && archive.state === 'kept') return { kind: 'kept', renewsAt: archive.dueAt }
  if (isAboutThis && archive.state === 'left-out') return { kind: 'left-out' }
  const isSigned = state === 'signed' && current !== undefined && carriesOwnSignatures(current)
  if (!isSigned || !(await usesTimestamps(db, officeId))) return null
  // A failure with an older version says nothing about this one.
  return {
    kind: 'waiting',
    fault: isAboutThis ? archive.fault : null,
    nextTry: isAboutThis ? archive.dueAt : current.at,
  }
}

async function usesTimestamps(db: Reader, officeId: OfficeId): Promise<boolean> {
  const office = mustBeThere(await findOffice(db, officeId))
  const providers = await listServiceProviders(db, officeId, 'timestamp')
  return office.timestampPolicy !== 'none' && providers.length > 0
}

/** The reasons are read from the log, which cannot be changed. */
async function findCancellation(db: Reader, { id, officeId, state, stateSince: at }: Document) {
  if (state !== 'cancelled') return null
  return await findReason(db, { officeId, action: 'document.cancelled', at, subjectId: id })
}

async function findPurge(db: Reader, { id, officeId, purged }: Document) {
  if (!purged) return null
  const { at } = purged
  return await findReason(db, { officeId, action: 'document.purged', at, subjectId: id })
}

async function findReason(db: Reader, about: Parameters<typeof findEventAt>[1]) {
  const event = await findEventAt(db, about)
  if (event?.actor.kind !== 'person') return null
  return { at: event.at, by: event.actor.name, reason: String(event.details.reason ?? '') }
}

async function describeSignatures(
  db: Reader,
  signatures: readonly DocumentSignature[],
  documentId: DocumentId,
): Promise<DocumentSignatureDetail[]> {
  const certificates = await findCertificates(
    db,
    signatures.map(({ certificateId }) => certificateId),
  )
  const nameOf = await namesBehind(db, signatures)
  // A signature creates a version; the signer signed the one before it.
  const questions = signatures.map(({ userId, version, signedAt }) => ({
    userId,
    version: version - 1,
    at: signedAt,
  }))
  const presences = await listPresenceBehind(db, documentId, questions)
  return signatures.map((signature, index) => ({
    ...signature,
    certificate: mustBeThere(certificates.get(signature.certificateId)),
    signerName: nameOf(signature),
    presence: presences[index],
  }))
}

/** Returns a function that gives the name of each signature's signer, a user or a guest. */
async function namesBehind(db: Reader, signatures: readonly DocumentSignature[]) {
  const users = await findUsers(
    db,
    signatures.flatMap(({ userId }) => userId ?? []),
  )
  const signers = await findSigners(
    db,
    signatures.flatMap(({ userId, signerId }) => (userId === null ? (signerId ?? []) : [])),
  )
  return ({ userId, signerId }: DocumentSignature): string => {
    if (userId) return fullName(mustBeThere(users.get(userId)))
    return mustBeThere(signerId ? signers.get(signerId) : undefined).name
  }
}

/* Foreign keys guarantee the row; a missing one is a bug. */
function mustBeThere<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('a row refers to one that is not there')
  return row
}
