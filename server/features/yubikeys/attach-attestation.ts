import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import {
  insertYubikeyAttestation,
  listYubikeyAttestations,
} from '#server/db/yubikeys/yubikey-attestations.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import type { AttestationFault } from '#server/domain/yubikeys/attestation-statement.ts'
import { type Conflict, conflictsWith } from '#server/domain/yubikeys/conflicts.ts'
import { MOST_ATTESTATIONS } from '#server/domain/yubikeys/yubikey.ts'
import type { System } from '#server/system.ts'
import { beginChange, commitChange, type SeenYubikey } from './change-yubikey.ts'
import { factsOfReading } from './facts-of-reading.ts'
import { findYubikeyFor } from './find-yubikey.ts'
import { nameOfKey } from './name-of-key.ts'
import { readAttestationFiles } from './read-attestation-files.ts'

/** `attestation`: the files of it. */
export type AttachAttestation = SeenYubikey & { attestation: readonly Uint8Array[] }

export type AttachAttestationOutcome =
  | { kind: 'attached' }
  | { kind: 'unreadable'; fault: AttestationFault }
  /** It is the attestation of another device. */
  | { kind: 'conflict'; conflicts: Conflict[] }

/**
 * Stores an attestation of a key that the device keeps. Its verdict is reached anew whenever it is read; one that cannot be checked
 * is stored too, and shown as such. What the inventory does not know yet comes from it.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`; `yubikey-changed`, `yubikey-state`,
 *   `too-many-attestations`
 */
export async function attachAttestation(
  system: System,
  actor: Actor,
  { attestation: files, ...seen }: AttachAttestation,
): Promise<AttachAttestationOutcome> {
  const { db, clock } = system
  const at = clock.now()
  const of = { own: 'yubikeys.manage', any: 'yubikeys.manage' } as const
  const { person, yubikey: known } = await findYubikeyFor(system, actor, seen.yubikeyId, of, at)
  const read = await readAttestationFiles(system, known.officeId, files, at)
  if (read.kind === 'refused') return { kind: 'unreadable', fault: read.fault }
  const conflicts = conflictsWith(known, read.facts)
  if (conflicts.length > 0) return { kind: 'conflict', conflicts }
  const made = {
    ...({ kind: 'attested', by: person.userId, holderId: known.holderId } as const),
    note: read.facts.slot,
  }
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const yubikey = await beginChange(trx, seen, made)
    if (!yubikey) return
    if (yubikey.state === 'retired') throw new Problem('yubikey-state', `${yubikey.id} is retired`)
    const stored = await listYubikeyAttestations(trx, yubikey.id, MOST_ATTESTATIONS)
    if (stored.length >= MOST_ATTESTATIONS)
      throw new Problem('too-many-attestations', `${yubikey.id} has ${stored.length}`)
    const version = yubikey.version + 1
    const { firmware, formFactor } = read.facts
    await commitChange(
      trx,
      {
        ...yubikey,
        firmware: yubikey.firmware ?? firmware,
        formFactor: yubikey.formFactor ?? formFactor,
        version,
      },
      { ...made, at },
    )
    const { certificates, facts } = read
    await insertYubikeyAttestation(trx, {
      ...{ yubikeyId: yubikey.id, version, slot: facts.slot, certificates },
    })
    await appendEvent(trx, {
      actor,
      at,
      action: 'yubikey.attested',
      subject: { kind: 'yubikey', id: yubikey.id },
      details: { name: nameOfKey(yubikey), ...factsOfReading(read) },
    })
  })
  return { kind: 'attached' }
}
