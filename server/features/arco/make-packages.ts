import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import {
  findDuePackage,
  listEndedPackages,
  replaceArcoPackage,
} from '#server/db/care/arco-packages.ts'
import { findArcoRequest } from '#server/db/care/arco-requests.ts'
import { lockFolios } from '#server/db/documents/documents.ts'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { giveUpFile } from '#server/db/documents/unneeded-files.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import {
  type ArcoPackage,
  MOST_PACKAGE_ATTEMPTS,
  PACKAGE_LIFETIME,
} from '#server/domain/care/arco-package.ts'
import { type ArcoRequest, arcoNumber } from '#server/domain/care/arco-request.ts'
import { shownInUtc } from '#server/domain/day.ts'
import { after, type Instant, minutes } from '#server/domain/time.ts'
import { zipped } from '#server/domain/verification/evidence-package/zip.ts'
import { heldFile } from '#server/steps/documents/stored-file.ts'
import type { System } from '#server/system.ts'
import { personalDataText, sectionsOf } from '#server/words/care/personal-data.ts'
import { gatherPersonalData } from './gather-personal-data.ts'
import { mustBeGatherable } from './request-package.ts'

const JOB = 'solicitudes ARCO'

/** Another process takes a package over that was not finished for so long. */
const LEASE = minutes(10)
/** Largest file in bytes. */
const FILE_LIMIT = 512 * 1024 * 1024
const AT_ONCE = 50

type Making = Pick<System, 'db' | 'clock' | 'blobs'>

/** Gathers what is held about people who asked for it, the one that waits longest first. Safe to run in two processes at once. */
export async function makePackages(system: Making, stopping?: AbortSignal): Promise<void> {
  const { db, clock } = system
  while (!stopping?.aborted) {
    const due = await findDuePackage(db, clock.now())
    if (!due) return
    const taken = { ...due, dueAt: after(clock.now(), LEASE) }
    if (await db.transaction((trx) => replaceArcoPackage(trx, due, taken)))
      await makeOne(system, taken)
  }
}

async function makeOne(system: Making, taken: ArcoPackage): Promise<void> {
  const { db } = system
  const request = await findArcoRequest(db, taken.requestId)
  if (!request) throw new Error(`no request ${taken.requestId}`)
  try {
    await finish(system, taken, request, await filesOf(system, request))
  } catch (error) {
    await noteFailure(system, taken, request)
    throw error
  }
}

async function filesOf({ db, clock }: Making, request: ArcoRequest) {
  const office = await findOffice(db, request.officeId)
  if (!office) throw new Error(`no office ${request.officeId}`)
  const { timeZone } = office
  const at = clock.now()
  const asked = { ...request, rfc: mustBeGatherable(request) }
  const data = await gatherPersonalData(db, office, asked)
  const sections = Object.fromEntries(
    sectionsOf(data, timeZone).map(({ title, rows }) => [title, rows]),
  )
  const files = [
    { name: 'datos.txt', text: `\ufeff${personalDataText(data, at, timeZone)}\r\n` },
    { name: 'datos.json', text: `${JSON.stringify(sections, null, 2)}\n` },
  ]
  const held = files.map(({ name, text }) => heldFile({ name, bytes: Buffer.from(text) }))
  return zipped(held, shownInUtc(at, timeZone))
}

/** Durable before it is visible: the row names a file that is there. */
async function finish(
  { db, clock, blobs }: Making,
  taken: ArcoPackage,
  request: ArcoRequest,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { officeId } = taken
  const staged = await blobs.stage(chunks, FILE_LIMIT)
  try {
    const { sha256, bytes } = staged
    await staged.keep(officeId)
    const at = clock.now()
    const name = `datos ${arcoNumber(request)}.zip`
    await db.transaction(async (trx) => {
      await lockFolios(trx, officeId)
      if (!(await findStoredFile(trx, { officeId, sha256 })))
        throw new Error(`the file of ${taken.requestId} is gone`)
      const file = { name, sha256, bytes, expiresAt: after(at, PACKAGE_LIFETIME) }
      const ready = { ...taken, state: 'ready' as const, stateSince: at, dueAt: at, file }
      if (!(await replaceArcoPackage(trx, taken, ready)))
        return await giveUpFile(trx, { officeId, sha256 }, at)
      await logged(trx, request, 'arco.package-made', at, { bytes, sha256 })
    })
  } finally {
    await staged.discard()
  }
}

/** Tries again later, and gives up in the end. */
async function noteFailure(
  { db, clock }: Pick<Making, 'db' | 'clock'>,
  taken: ArcoPackage,
  request: ArcoRequest,
): Promise<void> {
  const at = clock.now()
  const attempts = taken.attempts + 1
  const isOver = attempts >= MOST_PACKAGE_ATTEMPTS
  const next: ArcoPackage = {
    ...{ ...taken, attempts, dueAt: after(at, minutes(attempts)) },
    ...(isOver && { state: 'failed', stateSince: at }),
  }
  await db.transaction(async (trx) => {
    if ((await replaceArcoPackage(trx, taken, next)) && isOver)
      await logged(trx, request, 'arco.package-failed', at)
  })
}

/** Removes the files that waited long enough. Safe to run in two processes at once. */
export async function expirePackages(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  stopping?: AbortSignal,
): Promise<void> {
  while (!stopping?.aborted) {
    const ended = await listEndedPackages(db, clock.now(), AT_ONCE)
    for (const made of ended) await expire({ db, clock }, made)
    if (ended.length < AT_ONCE) return
  }
}

async function expire(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  made: ArcoPackage,
): Promise<void> {
  const at = clock.now()
  const { officeId, file } = made
  await db.transaction(async (trx) => {
    await lockFolios(trx, officeId)
    const request = await findArcoRequest(trx, made.requestId)
    const next: ArcoPackage = { ...made, state: 'expired', stateSince: at, file: null }
    if (!request || !(await replaceArcoPackage(trx, made, next))) return
    if (file) await giveUpFile(trx, { officeId, sha256: file.sha256 }, at)
    await logged(trx, request, 'arco.package-expired', at)
  })
}

const logged = (
  trx: Transaction,
  request: ArcoRequest,
  action: AuditEvent['action'],
  at: Instant,
  details: AuditEvent['details'] = {},
) =>
  appendSystemEvent(trx, {
    ...{ by: JOB, at, officeId: request.officeId, action },
    subject: { kind: 'arco-request', id: request.id },
    result: action === 'arco.package-failed' ? 'refused' : 'success',
    details: { name: arcoNumber(request), ...details },
  })
