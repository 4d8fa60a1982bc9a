import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import {
  findDocument,
  findNextFolio,
  findSameContent,
  findUploadedTwin,
  insertDocument,
  lockFolios,
} from '#server/db/documents/documents.ts'
import { findUpload, finishUploadRow } from '#server/db/documents/resumable-uploads.ts'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { timeOrderedId } from '#server/db/time-ordered-id.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { lookupOfNew } from '#server/domain/documents/decide-public-lookup.ts'
import { type Document, DocumentKind, DocumentTitle } from '#server/domain/documents/document.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { yearOf } from '#server/domain/documents/folio.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import { refusingOtherFiles } from '#server/domain/documents/refuse-other-files.ts'
import {
  VERIFICATION_CODE_BYTES,
  verificationCodeFrom,
} from '#server/domain/documents/verification-code.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DocumentId, type UploadId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { before, type Duration, type Instant, minutes } from '#server/domain/time.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'
import { holdWrittenNumber } from '#server/steps/documents/numbers/hold-written-number.ts'
import { writeTexts } from '#server/steps/documents/write-texts.ts'
import { beginJudgement } from '#server/steps/judgements/begin-judgement.ts'
import { type InspectedUpload, inspectUpload } from '#server/steps/judgements/inspect-upload.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const UploadDocument = z.object({
  title: DocumentTitle,
  kind: DocumentKind,
  instrument: Instrument.nullable().optional(),
  fileName: FileName,
})
export type UploadDocument = z.infer<typeof UploadDocument>

/** The same file with the same title within this time is a double click. */
export const DOUBLE_CLICK = minutes(1)

/**
 * Stores a PDF as a new document with version 1. A double click returns the first document.
 *
 * @param content the bytes of the file; not read after a refusal
 * @throws {Problem} `not-signed-in`, `forbidden`, `too-large`, `empty-file`, `not-a-pdf`,
 *   `private-key-uploaded`, `certificate-uploaded`, `dynamic-xfa`, `number-used`, `number-explained`, and the errors of the PDF reader
 */
export async function uploadDocument(
  system: System,
  actor: Actor,
  input: UploadDocument & { content: Content },
): Promise<Document> {
  const named = async () => ({ title: input.title, sameWithin: DOUBLE_CLICK })
  const upload = await storeUpload(system, actor, { ...input, isAgain: true }, named)
  if (upload.kind === 'known') throw new Error('nobody asked whether the content is known')
  return upload.document
}

export type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type Naming = {
  title: string
  /** The same file with the same title within this time gives the existing document. */
  sameWithin: Duration
}

/** What became of a file. */
export type StoredUpload =
  | { kind: 'stored'; document: Document }
  /** Nothing was stored: the office has a document with the same content, the newest of which this is. */
  | { kind: 'known'; document: Document }

/**
 * @param input.isAgain stores it also if the office has a document with the same content
 * @param named called after the file was read and accepted; if it throws, nothing is stored
 * @param resumable the upload whose parts `content` is: it becomes one document, however often it is finished
 * @throws {Problem} see `uploadDocument`
 */
export async function storeUpload(
  system: System,
  actor: Actor,
  input: Omit<UploadDocument, 'title'> & { content: Content; isAgain: boolean },
  named: () => Promise<Naming>,
  resumable?: UploadId,
): Promise<StoredUpload> {
  const { db, clock, blobs, pdf, settings } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'document.upload', own, clock.now())
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)

  const limit = Math.min(settings.uploadLimit, office.uploadLimit)
  const staged = await blobs.stage(refusingOtherFiles(input.content), limit)
  try {
    const inspection = await inspectUpload(pdf, staged.file)
    if (inspection.isDynamicForm)
      throw new Problem('dynamic-xfa', 'a program inside the file builds its pages')
    const { title, sameWithin } = await named()
    // Durable before visible: a file without a row is litter, a row without a file is a lost document.
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await staged.keep(office.id)
      const at = clock.now()
      const since = before(at, sameWithin)
      const upload = { person, office, staged, inspection, at, title, since, resumable }
      const done = await db.transaction((trx) => commit(trx, { ...input, ...upload }))
      if (done) return done
    }
    throw new Error(`${staged.sha256} is purged again and again`)
  } finally {
    await staged.discard()
  }
}

/** The same content, of another document, may be purged between its file and our row. */
const MOST_TRIES = 3

type Upload = UploadDocument & {
  isAgain: boolean
  person: Person
  office: Office
  staged: StagedBlob
  inspection: InspectedUpload
  at: Instant
  since: Instant
  resumable: UploadId | undefined
}

/** Undefined if the file is not there any more: nothing was stored. */
async function commit(trx: Transaction, upload: Upload): Promise<StoredUpload | undefined> {
  const { resumable, at: now } = upload
  if (!resumable) return await insertUnlessTwin(trx, upload)
  await lockFolios(trx, upload.office.id)
  const found = await findUpload(trx, resumable, now)
  if (!found) throw new Problem('not-found', `upload ${resumable} was discarded`)
  const finished = found.documentId && (await findDocument(trx, found.documentId))
  return finished ? { kind: 'stored', document: finished } : await insertUnlessTwin(trx, upload)
}

async function insertUnlessTwin(
  trx: Transaction,
  upload: Upload,
): Promise<StoredUpload | undefined> {
  const { person, office, staged, inspection, at, title, kind, instrument, fileName } = upload
  await lockFolios(trx, office.id)
  const twin = await findUploadedTwin(trx, {
    by: person.userId,
    title,
    sha256: staged.sha256,
    since: upload.since,
  })
  if (twin) {
    if (upload.resumable) await finishUploadRow(trx, upload.resumable, twin.id)
    return { kind: 'stored', document: twin }
  }
  const address = { officeId: office.id, sha256: staged.sha256 }
  const known = upload.isAgain ? undefined : await findSameContent(trx, address)
  if (known) return { kind: 'known', document: known }
  if (!(await findStoredFile(trx, address))) return undefined

  const document: Document = {
    id: DocumentId.parse(timeOrderedId(at)),
    officeId: office.id,
    folio: await findNextFolio(trx, office.id, yearOf(at, office.timeZone)),
    verificationCode: verificationCodeFrom(randomBytes(VERIFICATION_CODE_BYTES)),
    kind,
    title,
    instrument: instrument ?? null,
    state: 'draft',
    stateSince: at,
    stateBy: person.userId,
    version: 1,
    createdAt: at,
    createdBy: person.userId,
    publicLookup: lookupOfNew({ kind, title, instrument: instrument ?? null }, at),
    publicPictures: { state: 'off', since: at, by: null },
    stampChoice: null,
    purged: null,
    blockedAt: null,
  }
  await insertDocument(trx, document)
  await insertVersion(trx, {
    documentId: document.id,
    officeId: office.id,
    version: 1,
    sha256: staged.sha256,
    bytes: staged.bytes,
    pages: inspection.pages,
    cause: 'uploaded',
    by: person.userId,
    signer: null,
    at,
    fileName,
    signaturesBrought: inspection.signatures,
  })
  await holdWrittenNumber(trx, document, { at, by: person.userId })
  await writeTexts(trx, [document.id])
  const uploaded = { documentId: document.id, version: 1, sha256: staged.sha256, at }
  await beginJudgement(trx, uploaded, inspection)
  if (upload.resumable) await finishUploadRow(trx, upload.resumable, document.id)
  await appendEvent(trx, {
    actor: person,
    at,
    action: 'document.uploaded',
    subject: { kind: 'document', id: document.id },
    details: {
      folio: document.folio,
      version: 1,
      sha256: staged.sha256,
      bytes: staged.bytes,
      publicLookup: document.publicLookup.state,
    },
  })
  if (instrument) await appendDescribed(trx, { actor: person, at, document })
  return { kind: 'stored', document }
}

/** The log cannot be rewritten, so it records only the number of parties, not their names. */
async function appendDescribed(
  trx: Transaction,
  { actor, at, document }: { actor: Person; at: Instant; document: Document },
): Promise<void> {
  const { id, instrument, publicLookup } = document
  await appendEvent(trx, {
    actor,
    at,
    action: 'document.described',
    subject: { kind: 'document', id },
    details: {
      instrument: instrument?.number ?? null,
      volume: instrument?.volume ?? null,
      folios: instrument?.folios ?? null,
      date: instrument?.date ?? null,
      acts: instrument?.acts ?? null,
      parties: instrument?.parties.length ?? 0,
      publicLookup: publicLookup.state,
    },
  })
}
