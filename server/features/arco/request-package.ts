import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  findArcoPackage,
  insertArcoPackage,
  replaceArcoPackage,
} from '#server/db/care/arco-packages.ts'
import { lockFolios } from '#server/db/documents/documents.ts'
import { giveUpFile } from '#server/db/documents/unneeded-files.ts'
import type { ArcoPackage } from '#server/domain/care/arco-package.ts'
import { type ArcoRequest, arcoNumber } from '#server/domain/care/arco-request.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { isGenericRfc, type Rfc } from '#server/domain/identity/rfc.ts'
import type { ArcoRequestId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findArco } from './find-arco.ts'

/**
 * Asks for what is held about the person of a request, which a job gathers. An earlier file of the request is removed.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `arco-unproven` before the identity is proven;
 *   `arco-rfc-missing` without an RFC of the person's own; `arco-state` if the request is about no access
 */
export async function requestPackage(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { requestId }: { requestId: ArcoRequestId },
): Promise<void> {
  const at = clock.now()
  const asked = { requestId, action: 'arco.answer', at } as const
  const { person, request } = await findArco({ db }, actor, asked)
  mustBeGatherable(request)
  const { officeId } = request
  const waiting: ArcoPackage = {
    ...{ requestId, officeId, state: 'waiting', stateSince: at, askedBy: person.userId },
    ...{ dueAt: at, attempts: 0, file: null },
  }
  await db.transaction(async (trx) => {
    await lockFolios(trx, officeId)
    if (!(await insertArcoPackage(trx, waiting))) {
      const seen = await findArcoPackage(trx, requestId)
      if (!seen || seen.state === 'waiting') return
      if (!(await replaceArcoPackage(trx, seen, waiting))) return
      if (seen.file) await giveUpFile(trx, { officeId, sha256: seen.file.sha256 }, at)
    }
    await appendEvent(trx, {
      ...{ actor, at, action: 'arco.package-requested' },
      subject: { kind: 'arco-request', id: requestId },
      details: { name: arcoNumber(request) },
    })
  })
}

/** Whether what is held about the person can be told from what is held about others. */
export function mustBeGatherable(request: ArcoRequest): Rfc {
  const { id, kind, identity, rfc } = request
  if (kind !== 'access') throw new Problem('arco-state', `${id} asks for ${kind}`)
  if (identity === null) throw new Problem('arco-unproven', `the identity of ${id} is not proven`)
  if (rfc === null || isGenericRfc(rfc))
    throw new Problem('arco-rfc-missing', `${id} has no RFC of a person`)
  return rfc
}

export type OpenedPackage = { made: ArcoPackage; file: NonNullable<ArcoPackage['file']> }

/**
 * The file of a request, for a download.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `not-found`, also if the file is not there yet or is gone
 */
export async function openPackage(
  { db, eventQueue, clock }: Pick<System, 'db' | 'eventQueue' | 'clock'>,
  actor: Actor,
  { requestId }: { requestId: ArcoRequestId },
): Promise<OpenedPackage> {
  const at = clock.now()
  const asked = { requestId, action: 'arco.answer', at } as const
  const { request } = await findArco({ db }, actor, asked)
  const made = await findArcoPackage(db, requestId)
  const file = made?.file
  if (made?.state !== 'ready' || !file || file.expiresAt <= at)
    throw new Problem('not-found', `${requestId} has no file`)
  await eventQueue.append({
    ...{ actor, at, action: 'arco.package-downloaded' },
    subject: { kind: 'arco-request', id: requestId },
    details: { name: arcoNumber(request), sha256: file.sha256 },
  })
  return { made, file }
}
