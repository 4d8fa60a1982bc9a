import { Readable } from 'node:stream'
import { z } from 'zod'
import {
  type CurrentDocument,
  findCurrentDocuments,
} from '#server/db/documents/current-documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { type Day, dayOf, shownInUtc } from '#server/domain/day.ts'
import { ChosenDocuments } from '#server/domain/documents/chosen.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { plainFileName } from '#server/domain/text/file-names.ts'
import {
  type ZipFile,
  zipLength,
  zipped,
} from '#server/domain/verification/evidence-package/zip.ts'
import { readInTurn } from '#server/steps/documents/read-in-turn.ts'
import { heldFile, storedFile } from '#server/steps/documents/stored-file.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { missingFilesText } from '#server/words/documents.ts'

export const ZipDocuments = z.object({ documentIds: ChosenDocuments })
export type ZipDocuments = z.infer<typeof ZipDocuments>

export type DocumentArchive = {
  /** Of the office, for its name. */
  day: Day
  bytes: number
  /** Produced while it is read, so no document is held in memory. */
  stream: () => ReadableStream<Uint8Array>
}

/** Each file is read twice; programs of offices open no archive above 4 GB. */
const MOST_BYTES = 2_000_000_000

/**
 * Builds an archive with the current files of documents, each named by folio and title. A text names those whose file was
 * purged. Logs one event for each file before the first byte is sent.
 *
 * @param signal aborted when the user is gone: an archive that waits for its turn is not built
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` if the office has none of the documents; `file-purged` if none has its
 *   file; `archive-too-large`; `stored-file-damaged`; `too-many-attempts` when many of theirs wait
 */
export async function zipDocuments(
  system: Pick<System, 'db' | 'eventQueue' | 'clock' | 'blobs' | 'memory'>,
  actor: Actor,
  { documentIds, mostBytes = MOST_BYTES }: ZipDocuments & { mostBytes?: number },
  signal?: AbortSignal,
): Promise<DocumentArchive> {
  const { db, eventQueue, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'document.read', own, at)
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  const current = await findCurrentDocuments(db, documentIds)
  const found = documentIds.flatMap((id) => current.get(id) ?? [])
  const ofOffice = found.filter(({ document }) => document.officeId === officeId)
  for (const { document } of ofOffice)
    await authorizeOrRecord(db, actor, 'document.read', document, at)
  if (ofOffice.length === 0) throw new Problem('not-found', 'no document of the office')
  const whole = ofOffice.filter(({ document }) => document.purged === null)
  if (whole.length === 0) throw new Problem('file-purged', 'no file is left')
  const bytes = whole.reduce((sum, { version }) => sum + version.bytes, 0)
  if (bytes > mostBytes) throw new Problem('archive-too-large', `${bytes} bytes`)
  const files: ZipFile[] = []
  // A turn for each file: an archive of 2 GB would keep the evidence of everybody else waiting.
  for (const one of whole)
    files.push(await readInTurn(system, actor, () => fileOf(system, one), signal))
  const purged = ofOffice.filter(({ document }) => document.purged !== null)
  if (purged.length > 0) files.push(missingFiles(purged))
  await eventQueue.appendAll(
    whole.map(({ document, version }) => ({
      actor,
      at,
      action: 'document.downloaded',
      subject: { kind: 'document', id: document.id },
      details: { version: version.version, sha256: version.sha256 },
    })),
  )
  const shown = shownInUtc(at, office.timeZone)
  return {
    day: dayOf(at, office.timeZone),
    bytes: zipLength(files),
    stream: () => Readable.toWeb(Readable.from(zipped(files, shown))) as ReadableStream<Uint8Array>,
  }
}

const fileOf = (
  system: Pick<System, 'db' | 'clock' | 'blobs'>,
  { document, version }: CurrentDocument,
): Promise<ZipFile> => {
  const name = plainFileName(`${document.folio} ${document.title.slice(0, 80)}.pdf`)
  return storedFile(system, name, { document, version })
}

/** Names the documents whose file was purged. */
const missingFiles = (purged: readonly CurrentDocument[]): ZipFile =>
  heldFile({
    name: 'LEAME.txt',
    bytes: Buffer.from(missingFilesText(purged.map(({ document }) => document))),
  })
