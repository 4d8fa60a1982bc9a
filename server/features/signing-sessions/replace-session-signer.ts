import { appendEvents } from '#server/db/audit/audit-events.ts'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import { insertSigners, replaceSigner } from '#server/db/signing-sessions/signers.ts'
import { revokeSigningLinks } from '#server/db/signing-sessions/signing-links.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { SignerId, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { hasSignedAny } from '#server/domain/signing/session/ceremony.ts'
import { mustBeAlone } from '#server/domain/signing/session/one-person-signs-once.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { signerMustBecome } from '#server/domain/signing/session/transitions.ts'
import { queueMail } from '#server/steps/mail/queue-mail.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import {
  aboutRejection,
  aboutSigner,
  factsOfSession,
  listReached,
  notifyNewTurns,
} from '#server/steps/signing/notify-signers.ts'
import { rememberParties } from '#server/steps/signing/remember-parties.ts'
import type { System } from '#server/system.ts'
import { findManagedSession } from './find-managed-session.ts'
import { mustNotHaveSigned } from './must-not-have-signed.ts'
import { partiesIn, type RequestedSigner, signersFrom } from './session-data.ts'

export type ReplaceSessionSigner = {
  signingSessionId: SigningSessionId
  signerId: SignerId
  by: RequestedSigner
  /** See `AddSessionSigner`. */
  again?: boolean
  reason: Reason
}

/**
 * Replaces a signer who has not signed yet. The new signer takes over the position on the sheet and the step;
 * the old signer's link stops working.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `session-state`, `character-missing`, `signer-twice`,
 *   `signer-signed-before`
 */
export async function replaceSessionSigner(
  system: System,
  actor: Actor,
  input: ReplaceSessionSigner,
): Promise<SignerId> {
  const { db, clock } = system
  const at = clock.now()
  const { signingSessionId: id, signerId, reason, again = false } = input
  const { person, subject } = await findManagedSession(system, actor, id, at)
  const [successor] = await signersFrom(db, person, id, [input.by], at)
  if (!successor) throw new Error('the successor was not created')

  return await db.transaction(async (trx) => {
    const ceremony = await lockCeremony(trx, id)
    const signer = ceremony.signers.find((one) => one.id === signerId)
    if (!signer) throw new Problem('not-found', `no signer ${signerId} in ${id}`)
    if (ceremony.session.state !== 'open' || hasSignedAny(ceremony, signerId))
      throw new Problem('session-state', `${signerId} cannot be replaced any more`)
    signerMustBecome(signer, 'replaced')
    mustBeAlone(
      ceremony.signers.filter((one) => one.id !== signerId),
      successor,
    )
    if (!again) await mustNotHaveSigned(trx, successor, ceremony.documents)
    const { place, step } = signer
    const next = { ...successor, place, step }
    await insertSigners(trx, [next])
    const gone = { state: 'replaced', stateSince: at, stateReason: reason } as const
    const replaced = { ...signer, ...gone, replacedBy: next.id }
    if (!(await replaceSigner(trx, signer, replaced)))
      throw new Problem('session-state', `${signerId} is not pending any more`)
    await revokeSigningLinks(trx, [signerId], at)
    const about = [aboutSigner(signer), aboutRejection(signer)]
    await discardMailAbout(trx, about, 'signer-replaced', at)
    const [reached] = await listReached(trx, [signer])
    if (reached) {
      const { named, numbered } = await factsOfSession(trx, ceremony)
      await queueMail(trx, {
        officeId: ceremony.session.officeId,
        to: { name: signer.name, address: reached.address },
        facts: { kind: 'signer-replaced', ...(signer.userId === null ? named : numbered) },
        at,
      })
    }
    const others = ceremony.signers.map((one) => (one.id === signerId ? replaced : one))
    await notifyNewTurns(trx, system, ceremony, { ...ceremony, signers: [...others, next] }, at)
    const remembered = await rememberParties(trx, person, partiesIn([input.by]), at)
    await appendEvents(trx, [
      ...remembered,
      {
        actor,
        at,
        action: 'signer.replaced',
        subject,
        details: { signer: signerId, name: signer.name, by: next.id, byName: next.name, reason },
      },
    ])
    return next.id
  })
}
