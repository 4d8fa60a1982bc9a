import { rejectionStatement } from '#server/domain/efirma/rejection-statement.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { signWith } from '#server/domain/pkcs/private-key.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import {
  checkEfirma,
  type EfirmaSentences,
  type ShownEfirma,
} from '#server/steps/signing/check-efirma.ts'
import { wipingEfirma } from '#server/steps/signing/wipe-efirma.ts'
import type { System } from '#server/system.ts'
import type { RejectedSession } from './commit-rejection.ts'
import { consumeEfirmaAttempt } from './consume-efirma-attempt.ts'
import { findRejectingGuest } from './find-rejecting-guest.ts'
import { findRejectionFacts } from './find-rejection-facts.ts'
import { recordUnproven } from './record-unproven.ts'
import { rejectWithStatement } from './reject-with-statement.ts'

/** The files are overwritten with zeros before this returns. */
type RejectOnServer = ShownEfirma & { reason: Reason }

/** `refused`: what to correct, per field. */
export type RejectedOnServer = RejectedSession | { kind: 'refused'; sentences: EfirmaSentences }

/**
 * Rejects with an e.firma in this process's memory, for browsers without scripts. Never stores or logs anything of the key.
 *
 * @throws {Problem} `server-signing-disabled` by the office; `too-many-attempts`; see `rejectWithStatement`
 */
export async function rejectOnServer(
  system: System,
  actor: Actor,
  input: RejectOnServer,
): Promise<RejectedOnServer> {
  return await wipingEfirma(input, () => reject(system, actor, input))
}

async function reject(
  system: System,
  actor: Actor,
  input: RejectOnServer,
): Promise<RejectedOnServer> {
  const { db, clock } = system
  const at = clock.now()
  const found = await findRejectingGuest(db, actor)
  const { guest, signer, office } = found
  if (office.serverSigning === 'disabled')
    throw new Problem('server-signing-disabled', `${office.id} does not allow it`)
  await consumeEfirmaAttempt(db, guest, at)
  const facts = { now: at, rfc: signer.rfc, zone: office.timeZone }
  const checked = await checkEfirma(system, input, facts)
  if (checked.kind === 'refused') {
    await recordUnproven(db, guest, { proof: 'efirma', code: checked.code, at })
    return { kind: 'refused', sentences: checked.sentences }
  }
  const { reason } = input
  const statement = rejectionStatement(await findRejectionFacts(db, found), { reason, at })
  const signature = await signWith(checked.opened, statement)
  const { certificate } = checked
  const answer = await rejectWithStatement(system, found, { reason, at, certificate, signature })
  return answer.kind === 'refused'
    ? { kind: 'refused', sentences: { [checked.field]: answer.sentence } }
    : answer
}
