import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import {
  findIssuedCopy,
  findLastOrdinals,
  insertIssuedCopy,
  lockCopies,
} from '#server/db/documents/issued-copies.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { idMadeOnce } from '#server/domain/crypto/made-once.ts'
import { type Day, dayOf } from '#server/domain/day.ts'
import {
  CopyFacts,
  type CopyKind,
  type IssuedCopy,
} from '#server/domain/documents/copies/issued-copy.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { DocumentId, IssuedCopyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findCopied, mustBeCompleted } from './find-copied.ts'

export const RecordCopy = CopyFacts.extend({
  documentId: DocumentId,
  /** The one that the form showed: it may stand on the paper already. */
  ordinal: z.int().positive(),
  /** Made by the page of the form: the same one records no second copy. */
  once: z.uuid(),
})
export type RecordCopy = z.infer<typeof RecordCopy>

/**
 * Records that the office issued a copy of a signed document, under the next ordinal of its kind. A form that is sent twice
 * gets the copy that it recorded first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `nothing-to-copy`, `copy-day-ahead`;
 *   `copy-ordinal-taken` if the next ordinal is not the one on the screen any more
 */
export async function recordCopy(
  system: System,
  actor: Actor,
  { documentId, once, ...facts }: RecordCopy,
): Promise<IssuedCopy> {
  const { db, clock } = system
  const at = clock.now()
  const action = 'document.record-copy'
  const { person, document } = await findCopied(system, actor, { documentId, action, at })
  await mustBeCompleted(db, document)
  if (facts.issuedOn > (await todayIn(system, person)))
    throw new Problem('copy-day-ahead', `${facts.issuedOn} has not come`)
  const id = IssuedCopyId.parse(idMadeOnce(`${person.userId} ${documentId}`, once))

  return await db.transaction(async (trx) => {
    await lockCopies(trx, documentId)
    const made = await findIssuedCopy(trx, id)
    if (made) return made
    const current = (await findDocument(trx, documentId)) ?? document
    const { version } = await mustBeCompleted(trx, current)
    const next = nextOf(await findLastOrdinals(trx, documentId), facts.kind)
    if (facts.ordinal !== next)
      throw new Problem('copy-ordinal-taken', `${facts.kind} ${next} of ${documentId} is next`)
    const by = person.userId
    const copy: IssuedCopy = { ...facts, id, documentId, version, at, by, cancelled: null }
    await insertIssuedCopy(trx, copy)
    await appendEvent(trx, {
      actor,
      at,
      action: 'document.copy-recorded',
      subject: { kind: 'document', id: documentId },
      details: detailsOf(copy),
    })
    return copy
  })
}

/** Without the recipient: the log is never rewritten. */
const detailsOf = ({ id, kind, ordinal, part, medium, issuedOn, version }: IssuedCopy) => ({
  ...{ copy: id, kind, ordinal, extent: part === null ? 'whole' : 'part', issuedOn, version },
  medium: medium.kind,
  sheets: medium.kind === 'paper' ? medium.sheets : null,
})

const nextOf = (last: ReadonlyMap<CopyKind, number>, kind: CopyKind) => (last.get(kind) ?? 0) + 1

async function todayIn({ db, clock }: System, { officeId }: Person): Promise<Day> {
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  return dayOf(clock.now(), office.timeZone)
}

/** What the form shows: the document, today in its office, and the ordinal that each kind would get now. */
export type CopyForecast = {
  document: Document
  today: Day
  next: Record<CopyKind, number>
}

/** @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `nothing-to-copy` */
export async function readCopyForecast(
  system: System,
  actor: Actor,
  { documentId }: Pick<RecordCopy, 'documentId'>,
): Promise<CopyForecast> {
  const { db, clock } = system
  const asked = { documentId, action: 'document.record-copy', at: clock.now() } as const
  const { person, document } = await findCopied(system, actor, asked)
  await mustBeCompleted(db, document)
  const last = await findLastOrdinals(db, documentId)
  return {
    document,
    today: await todayIn(system, person),
    next: {
      testimony: nextOf(last, 'testimony'),
      'certified-copy': nextOf(last, 'certified-copy'),
      'simple-copy': nextOf(last, 'simple-copy'),
      certification: nextOf(last, 'certification'),
    },
  }
}
