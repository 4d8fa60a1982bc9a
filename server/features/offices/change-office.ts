import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { listOffices, replaceOffice } from '#server/db/people/offices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office, OfficeIdentity } from '#server/domain/identity/office.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * Changes the data of the office. Sheets already printed into documents stay as they are; the log keeps the old
 * values.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `office-taken` when another office has this
 *   number in its entity
 */
export async function changeOffice(
  system: System,
  actor: Actor,
  input: OfficeIdentity,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const offices = await listOffices(trx)
    const office = offices.find(({ id }) => id === person.officeId)
    if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
    const details = changesOf(office, input)
    if (Object.keys(details).length === 0) return
    const { number, entity } = input
    if (offices.some((one) => one !== office && one.number === number && one.entity === entity))
      throw new Problem('office-taken', `${number} of ${entity}`)
    await replaceOffice(trx, { ...office, ...input })
    await appendEvent(trx, {
      actor,
      at,
      action: 'office.changed',
      subject: { kind: 'office', id: office.id },
      details,
    })
  })
}

/** The changed fields with their new and old values. */
function changesOf(office: Office, input: OfficeIdentity): Record<string, string | number> {
  const names = Object.keys(input) as (keyof OfficeIdentity)[]
  return Object.fromEntries(
    names
      .filter((name) => office[name] !== input[name])
      .flatMap((name) => [
        [name, input[name]],
        [`${name}Before`, office[name]],
      ]),
  )
}
