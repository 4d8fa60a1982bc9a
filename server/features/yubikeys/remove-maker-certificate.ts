import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import {
  findMakerCertificate,
  lockMakerCertificates,
  upsertMakerCertificate,
} from '#server/db/yubikeys/maker-certificates.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type RemoveMakerCertificate = { sha256: Sha256; reason: string }

/**
 * Trusts a certificate of the maker no longer: attestations that end at it are no longer proven. A repeated request changes
 * nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`
 */
export async function removeMakerCertificate(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { sha256, reason }: RemoveMakerCertificate,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'yubikeys.manage', own, at)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    await lockMakerCertificates(trx)
    const known = await findMakerCertificate(trx, person.officeId, sha256)
    if (!known) throw new Problem('not-found', `no certificate ${sha256} of the maker`)
    if (known.state === 'removed') return
    const decision = { reason, since: at, by: person.userId }
    await upsertMakerCertificate(trx, person.officeId, { ...known, ...decision, state: 'removed' })
    await appendEvent(trx, {
      actor,
      at,
      action: 'maker-certificate.removed',
      subject: { kind: 'certificate', id: sha256 },
      details: { name: known.name, reason },
    })
  })
}
