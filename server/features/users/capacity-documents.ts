import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { lockFolios } from '#server/db/documents/documents.ts'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import {
  findCapacityDocument,
  insertCapacityDocument,
  listCapacityDocuments,
} from '#server/db/people/capacity-documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  CAPACITY_DOCUMENT_LIMIT,
  type CapacityDocument,
  MOST_CAPACITY_DOCUMENTS,
} from '#server/domain/documents/capacity-document.ts'
import type { FileName } from '#server/domain/documents/file-name.ts'
import { refusingOtherFiles } from '#server/domain/documents/refuse-other-files.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { CapacityDocumentId, type UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'
import { inspectUpload } from '#server/steps/judgements/inspect-upload.ts'
import type { System } from '#server/system.ts'
import { findCurrentUser, findManaged, type Managed } from './find-managed.ts'

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type AddCapacityDocument = { userId: UserId; fileName: FileName; content: Content }

/**
 * Keeps a PDF as evidence of the user's capacity, as it is recorded now. It is never deleted. The same file again changes
 * nothing.
 *
 * @param input.content not read after a refusal
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`; `capacity-missing`,
 *   `too-many-capacity-documents`, and what `uploadDocument` throws about files
 */
export async function addCapacityDocument(
  system: System,
  actor: Actor,
  { userId, fileName, content }: AddCapacityDocument,
): Promise<void> {
  const { db, clock, blobs, pdf } = system
  const managed = await findManaged(system, actor, userId, clock.now())
  mustHaveCapacity(managed.user)
  const staged = await blobs.stage(refusingOtherFiles(content), CAPACITY_DOCUMENT_LIMIT)
  try {
    await inspectUpload(pdf, staged.file)
    // Durable before visible, as for every upload.
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await staged.keep(managed.user.officeId)
      const added = { ...managed, fileName, staged, at: clock.now() }
      if (await db.transaction((trx) => commit(trx, added))) return
    }
    throw new Error(`${staged.sha256} is purged again and again`)
  } finally {
    await staged.discard()
  }
}

/** The same content, of a document, may be purged between its file and our row. */
const MOST_TRIES = 3

function mustHaveCapacity(user: User): NonNullable<User['capacity']> {
  if (user.capacity) return user.capacity
  throw new Problem('capacity-missing', `${user.id} has no capacity`)
}

type Added = Managed & { fileName: FileName; staged: StagedBlob; at: Instant }

/** False if the file is not there any more: nothing was stored. */
async function commit(trx: Transaction, added: Added): Promise<boolean> {
  const { person, user, subject, fileName, staged, at } = added
  await beginAdministration(trx, person)
  // Held by purges, too.
  await lockFolios(trx, user.officeId)
  const address = { officeId: user.officeId, sha256: staged.sha256 }
  if (!(await findStoredFile(trx, address))) return false
  const current = await findCurrentUser(trx, user.id)
  const capacity = mustHaveCapacity(current)
  const others = await listCapacityDocuments(trx, user.id)
  if (others.some(({ sha256 }) => sha256 === staged.sha256)) return true
  if (others.length >= MOST_CAPACITY_DOCUMENTS)
    throw new Problem('too-many-capacity-documents', `${others.length} of ${user.id}`)
  const document: CapacityDocument = {
    ...address,
    ...{ id: CapacityDocumentId.parse(randomUUID()), userId: user.id, capacity },
    ...{ capacityOf: current.capacityOf, capacityFrom: current.capacityFrom },
    ...{ capacityTo: current.capacityTo, bytes: staged.bytes, fileName },
    ...{ addedAt: at, addedBy: person.userId },
  }
  await insertCapacityDocument(trx, document)
  await appendEvent(trx, {
    actor: person,
    at,
    action: 'user.capacity-document-added',
    subject,
    details: {
      ...{ documentId: document.id, sha256: document.sha256, bytes: document.bytes },
      ...{ capacity, capacityOf: current.capacityOf },
    },
  })
  return true
}

export type CapacityPage = {
  user: User
  timeZone: string
  documents: CapacityDocument[]
}

/** The capacity of a user and what supports it. @throws {Problem} `not-signed-in`, `forbidden`, `not-found` */
export async function readCapacity(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { userId }: { userId: UserId },
): Promise<CapacityPage> {
  const { db, clock } = system
  const { user } = await findManaged(system, actor, userId, clock.now(), 'users.read')
  const office = await findOffice(db, user.officeId)
  if (!office) throw new Problem('not-found', `no office ${user.officeId}`)
  return { user, timeZone: office.timeZone, documents: await listCapacityDocuments(db, userId) }
}

export type OpenCapacityDocument = { userId: UserId; documentId: CapacityDocumentId }

/**
 * A supporting document for a download, which is in the log before the answer leaves.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function openCapacityDocument(
  system: Pick<System, 'db' | 'eventQueue' | 'clock'>,
  actor: Actor,
  { userId, documentId }: OpenCapacityDocument,
): Promise<CapacityDocument> {
  const { db, eventQueue, clock } = system
  const at = clock.now()
  const { person, subject } = await findManaged(system, actor, userId, at, 'users.read')
  const document = await findCapacityDocument(db, documentId)
  if (document?.userId !== userId) throw new Problem('not-found', `no document ${documentId}`)
  await eventQueue.append({
    actor: person,
    at,
    action: 'user.capacity-document-downloaded',
    subject,
    details: { documentId, sha256: document.sha256 },
  })
  return document
}
