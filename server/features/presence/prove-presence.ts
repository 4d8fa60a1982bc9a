import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertPresenceProof } from '#server/db/presence/presence-proofs.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { PresenceProofId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { digestOfExport, exportOf } from '#server/domain/signing/exported-presence.ts'
import {
  digestOfList,
  endOfPresence,
  type PresenceProof,
  readCanonicalList,
} from '#server/domain/signing/presence.ts'
import { type RefusedFactor, refusedFactor } from '#server/steps/factors/checked-factor.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { refundUnlessMade, releaseBudgets } from '#server/steps/sign-ins/budgets.ts'
import {
  type ConsumedCode,
  consumeProofAttempt,
} from '#server/steps/sign-ins/consume-code-attempt.ts'
import { type RefusedProof, refuseProof } from '#server/steps/sign-ins/refuse-proof.ts'
import type { System } from '#server/system.ts'
import {
  type CheckedPresence,
  checkPresenceFactor,
  type ShownPresence,
} from './check-presence-factor.ts'
import { findShown, type PresentDocuments } from './find-shown.ts'

export type ProvePresence =
  | { method: 'TOTP'; code: string; documents: PresentDocuments }
  /** The key's answer to `beginPresence`, in the browser's JSON. */
  | { method: 'WEBAUTHN'; response: unknown }

export type ProvePresenceOutcome = { kind: 'proven'; proof: PresenceProof } | RefusedProof

/**
 * Accepts a proof that the signer is present. It is stored as evidence and lets its person sign the listed
 * documents for five minutes. Each answer of a key and each code is accepted once.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `too-many-attempts` with how long to wait,
 *   `secret-unreadable`
 */
export async function provePresence(
  system: System,
  actor: Actor,
  input: ProvePresence,
): Promise<ProvePresenceOutcome> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'document.sign-in-session', own, at)
  const shown: ShownPresence =
    input.method === 'TOTP'
      ? { ...input, documents: await findShown(system, actor, input.documents, at) }
      : input
  const user = { id: person.userId, officeId: person.officeId }
  const spent = await consumeProofAttempt(db, person, user, at)

  const checking = checkPresenceFactor(system, person, shown)
  const checked = await refundUnlessMade(db, spent.budgets, checking)
  const attempt: Attempt = { system, person, input, spent }
  if (!checked.ok) return await refuse(attempt, checked)
  return (await keep(attempt, checked)) ?? (await refuse(attempt, usedMeanwhile(input)))
}

type Attempt = { system: System; person: Person; input: ProvePresence; spent: ConsumedCode }

/** Returns undefined if another request has already used the answer. */
async function keep(
  { system, person, spent }: Attempt,
  { list, means, commit, record }: CheckedPresence,
): Promise<ProvePresenceOutcome | undefined> {
  const { db, clock } = system
  const at = clock.now()
  const { userId, officeId } = person
  const id = PresenceProofId.parse(randomUUID())
  const proof = { id, officeId, userId, list, means, at, expiresAt: endOfPresence(at) }
  return await db.transaction(async (trx) => {
    if (!(await commit(trx))) return undefined
    await insertPresenceProof(trx, proof)
    await releaseBudgets(trx, spent.budgets)
    await record(trx)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'presence.proven',
      subject: { kind: 'presence', id },
      details: {
        method: means.method,
        documents: readCanonicalList(list)?.length ?? 0,
        list: digestOfList(list),
        // The digest in the log makes later changes of the evidence detectable.
        evidence: digestOfExport(exportOf(proof)),
      },
    })
    return { kind: 'proven', proof }
  })
}

async function refuse(
  { system, person, input, spent }: Attempt,
  refused: RefusedFactor,
): Promise<RefusedProof> {
  const { db, clock } = system
  return await refuseProof(db, refused, {
    person,
    action: 'presence.refused',
    method: input.method,
    attemptsLeft: spent.left,
    at: clock.now(),
  })
}

const usedMeanwhile = ({ method }: ProvePresence) =>
  method === 'TOTP' ? refusedFactor('used-code', 'replayed') : refusedFactor('used-challenge')
