import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  insertRetentionTerm,
  listRetentionTerms,
  type SetRetentionTerm,
} from '#server/db/care/retention.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import type { RetainedKind, RetentionTerm } from '#server/domain/care/retention.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** The terms that the office set, by kind; documents of other kinds are kept. @throws {Problem} `not-signed-in`, `forbidden` */
export async function readRetentionTerms(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<Map<RetainedKind, SetRetentionTerm>> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'office.read', own, clock.now())
  return await listRetentionTerms(db, officeId)
}

/**
 * Sets how long documents of a kind are kept. What is proposed or blocked already stays so.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function changeRetentionTerm(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  term: RetentionTerm,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  const { officeId, userId: by } = person
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const before = (await listRetentionTerms(trx, officeId)).get(term.kind)
    await insertRetentionTerm(trx, officeId, { term, at, by })
    await appendEvent(trx, {
      ...{ actor, at, action: 'retention.terms-changed' },
      subject: { kind: 'office', id: officeId },
      details: { ...term, yearsBefore: before?.years ?? null },
    })
  })
}
