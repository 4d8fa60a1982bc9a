import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { insertYubikeyAttestation } from '#server/db/yubikeys/yubikey-attestations.ts'
import { insertYubikeyChange } from '#server/db/yubikeys/yubikey-changes.ts'
import { findYubikey, insertYubikey } from '#server/db/yubikeys/yubikeys.ts'
import { idMadeOnce } from '#server/domain/crypto/made-once.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { YubikeyId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { AttestationFault } from '#server/domain/yubikeys/attestation-statement.ts'
import { type Conflict, conflictsWith } from '#server/domain/yubikeys/conflicts.ts'
import {
  Firmware,
  FormFactor,
  type Yubikey,
  YubikeyModel,
  YubikeySerial,
} from '#server/domain/yubikeys/yubikey.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { factsOfReading } from './facts-of-reading.ts'
import { nameOfKey } from './name-of-key.ts'
import { readAttestationFiles } from './read-attestation-files.ts'

/** What is typed; with an attestation, what is left out comes from there. */
export const RegisterYubikey = z.strictObject({
  serial: YubikeySerial.nullable(),
  model: YubikeyModel,
  firmware: Firmware.nullable(),
  formFactor: FormFactor.nullable(),
  /** A UUID made by the page of the form: the same one registers no second key. */
  once: z.uuid(),
})
export type RegisterYubikey = z.infer<typeof RegisterYubikey> & {
  /** The files of an attestation; none if there are none. */
  attestation: readonly Uint8Array[]
}

export type RegisterYubikeyOutcome =
  | { kind: 'registered'; id: YubikeyId }
  | { kind: 'unreadable'; fault: AttestationFault }
  /** What was typed is not what the attestation says. */
  | { kind: 'conflict'; conflicts: Conflict[] }
  | { kind: 'serial-missing' }

/**
 * Adds a key to the inventory. An attestation is read in a worker.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `yubikey-known` for a serial number that the office has
 */
export async function registerYubikey(
  system: System,
  actor: Actor,
  { attestation: files, once, ...typed }: RegisterYubikey,
): Promise<RegisterYubikeyOutcome> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'yubikeys.manage', own, at)
  const { officeId, userId } = person
  const read = files.length === 0 ? null : await readAttestationFiles(system, officeId, files, at)
  if (read?.kind === 'refused') return { kind: 'unreadable', fault: read.fault }
  const conflicts = read ? conflictsWith(typed, read.facts) : []
  if (conflicts.length > 0) return { kind: 'conflict', conflicts }
  const serial = typed.serial ?? read?.facts.serial ?? null
  if (serial === null) return { kind: 'serial-missing' }
  const yubikey: Yubikey = {
    id: YubikeyId.parse(idMadeOnce(userId, once)),
    officeId,
    serial,
    model: typed.model,
    firmware: typed.firmware ?? read?.facts.firmware ?? null,
    formFactor: typed.formFactor ?? read?.facts.formFactor ?? null,
    ...{ state: 'in-stock', stateSince: at, stateBy: userId },
    ...{ holderId: null, certificateId: null, version: 1 },
  }
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    if (await findYubikey(trx, yubikey.id)) return
    if (!(await insertYubikey(trx, yubikey)))
      throw new Problem('yubikey-known', `${officeId} has a YubiKey ${serial}`)
    const { id: yubikeyId, version } = yubikey
    const made = { at, by: userId, holderId: null, note: read ? read.facts.slot : null }
    await insertYubikeyChange(trx, { ...made, yubikeyId, version, kind: 'registered' })
    if (read) {
      const { certificates, facts } = read
      await insertYubikeyAttestation(trx, { yubikeyId, version, slot: facts.slot, certificates })
    }
    await appendEvent(trx, {
      actor,
      at,
      action: 'yubikey.registered',
      subject: { kind: 'yubikey', id: yubikeyId },
      details: {
        ...{ name: nameOfKey(yubikey), serial, model: yubikey.model },
        ...{ firmware: yubikey.firmware, formFactor: yubikey.formFactor },
        ...(read && factsOfReading(read)),
      },
    })
  })
  return { kind: 'registered', id: yubikey.id }
}
