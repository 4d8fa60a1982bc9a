import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertArcoTerms, listArcoTerms, type SetArcoTerms } from '#server/db/care/arco-terms.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findUsers } from '#server/db/people/users.ts'
import { type ArcoTerms, FEDERAL_TERMS } from '#server/domain/care/arco-request.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** Earlier terms that the page shows. */
const MOST_SHOWN = 20

export type ArcoTermsPage = {
  current: ArcoTerms
  /** Newest first; empty while those of the federal law apply. */
  set: (SetArcoTerms & { author: string })[]
}

/** The terms that apply to new requests. @throws {Problem} `not-signed-in`, `forbidden` */
export async function readArcoTerms(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<ArcoTermsPage> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'office.read', own, clock.now())
  const set = await listArcoTerms(db, officeId, MOST_SHOWN)
  const authors = await findUsers(
    db,
    set.map(({ by }) => by),
  )
  const nameOf = ({ by }: SetArcoTerms) => {
    const author = authors.get(by)
    return author ? fullName(author) : ''
  }
  return {
    current: set[0]?.terms ?? FEDERAL_TERMS,
    set: set.map((one) => ({ ...one, author: nameOf(one) })),
  }
}

/**
 * Sets the terms of requests that are recorded from now on. Earlier requests keep theirs.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function changeArcoTerms(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  terms: ArcoTerms,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  const { officeId, userId } = person
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const [before] = await listArcoTerms(trx, officeId, 1)
    const from = before?.terms ?? FEDERAL_TERMS
    await insertArcoTerms(trx, officeId, { terms, at, by: userId })
    await appendEvent(trx, {
      ...{ actor, at, action: 'arco.terms-changed', subject: { kind: 'office', id: officeId } },
      details: {
        ...{ ...terms },
        ...{ answerDaysBefore: from.answerDays, effectDaysBefore: from.effectDays },
      },
    })
  })
}
