import { rejectionStatement } from '#server/domain/efirma/rejection-statement.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { signWith } from '#server/domain/pkcs/private-key.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { checkEfirma, type EfirmaSentences } from '#server/steps/signing/check-efirma.ts'
import type { System } from '#server/system.ts'
import type { Rejected } from './commit-rejection.ts'
import { findRejected } from './find-rejected.ts'
import { findRejecting } from './find-rejecting.ts'
import { recordUnproven } from './record-unproven.ts'
import { rejectWithEfirma } from './reject-with-efirma.ts'

type RejectOnServer = {
  reason: Reason
  /** Contents of the `.cer` and the `.key`; overwritten with zeros before this returns. */
  certificate: Uint8Array
  privateKey: Uint8Array
  /** A `.p12` or `.pfx` instead of the two, overwritten in the same way. */
  pkcs12?: Uint8Array | undefined
  password: string
  /** Consent to use the key in the server's memory for this one signature. */
  consent: boolean
}

/** `refused`: what to correct, per field. */
export type RejectedOnServer = Rejected | { kind: 'refused'; sentences: EfirmaSentences }

/**
 * Rejects with an e.firma in this process's memory, for browsers without scripts. Never stores or logs anything of the key.
 *
 * @throws {Problem} `server-signing-disabled` by the office; `too-many-attempts`; see `rejectWithEfirma`
 */
export async function rejectOnServer(
  system: System,
  actor: Actor,
  input: RejectOnServer,
): Promise<RejectedOnServer> {
  try {
    return await reject(system, actor, input)
  } finally {
    input.certificate.fill(0)
    input.privateKey.fill(0)
    input.pkcs12?.fill(0)
  }
}

async function reject(
  system: System,
  actor: Actor,
  input: RejectOnServer,
): Promise<RejectedOnServer> {
  const { db, clock } = system
  const at = clock.now()
  const found = await findRejecting(db, actor)
  const { guest, signer, office } = found
  if (office.serverSigning === 'disabled')
    throw new Problem('server-signing-disabled', `${office.id} does not allow it`)
  const facts = { now: at, rfc: signer.rfc, zone: office.timeZone }
  const checked = await checkEfirma(system, input, facts)
  if (checked.kind === 'refused') {
    await recordUnproven(db, guest, { proof: 'efirma', code: checked.code, at })
    return { kind: 'refused', sentences: checked.sentences }
  }
  const { reason } = input
  const statement = rejectionStatement(await findRejected(db, found), { reason, at })
  const signature = await signWith(checked.opened, statement)
  const { certificate } = checked
  const answer = await rejectWithEfirma(system, actor, { reason, at, certificate, signature })
  return answer.kind === 'refused'
    ? { kind: 'refused', sentences: { [checked.field]: answer.sentence } }
    : answer
}
