import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  endWebauthnChallenge,
  findWebauthnChallenge,
} from '#server/db/factors/webauthn-challenges.ts'
import {
  findByCredentialId,
  replaceKeyState,
  replaceWebauthnCredentialState,
} from '#server/db/factors/webauthn-credentials.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import {
  type AssertionAnswer,
  type KeyRefusal,
  readClientData,
} from '#server/domain/identity/webauthn-answer.ts'
import {
  type ChallengePurpose,
  refusalOfChallenge,
  type WebauthnChallenge,
} from '#server/domain/identity/webauthn-challenge.ts'
import {
  anomalyOf,
  type KeyAnomaly,
  type KeyState,
  type WebauthnCredential,
} from '#server/domain/identity/webauthn-credential.ts'
import { userHandleOf } from '#server/domain/identity/webauthn-options.ts'
import type { OfficeId, SessionId, SignInId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'

type Judging = Pick<System, 'db' | 'clock' | 'webauthn'>

export type KeyQuestion = {
  actor: Actor
  userId: UserId
  /** The pending sign-in or the session that asked for the challenge. */
  bearer: SignInId | SessionId
  response: AssertionAnswer
  /** The purpose of the challenge. */
  purpose: Exclude<ChallengePurpose, 'registration'>
  /** Whether the key must have verified its user by PIN or fingerprint. */
  requireUserVerification: boolean
}

/**
 * The result of a key's answer. Call `commit` in the transaction of what the answer authorizes, before it; call
 * `record` after everything that takes a lock: it logs what happened to the key.
 */
export type CheckedKeyAnswer =
  | {
      ok: true
      /** The key before this use. */
      credential: WebauthnCredential
      /**
       * Consumes the challenge and stores the counter. False if another request used it: then nothing is
       * authorized.
       */
      commit(trx: Transaction): Promise<boolean>
      record(trx: Transaction): Promise<void>
    }
  | {
      ok: false
      reason: KeyRefusal
      /** Consumes the challenge; marks a key that may be cloned as suspect. */
      commit(trx: Transaction): Promise<void>
      record(trx: Transaction): Promise<void>
    }

/**
 * Checks a security key's answer to a challenge of this bearer. Writes nothing before `commit`; a challenge can
 * be answered once, right or wrong.
 */
export async function checkKeyAnswer(
  system: Judging,
  asked: KeyQuestion,
): Promise<CheckedKeyAnswer> {
  const at = system.clock.now()
  // Before its challenge: when another request accepts the same answer in between, the challenge is used, and the counter has not gone back.
  const credential = await findByCredentialId(system.db, asked.response.id)
  const challenge = await findChallenge(system, asked)
  if (!challenge) return refused('unknown-challenge')
  const spent = refusalOfChallenge(challenge, at)
  if (spent) return refused(spent)

  const refusal = refusalOfKey(credential, asked)
  if (!credential || refusal) return refused(refusal ?? 'unknown-key', { challenge, at })

  const outcome = await system.webauthn.verifyAssertion(asked.response, {
    challenge: challenge.challenge,
    isVerificationRequired: asked.requireUserVerification,
    key: credential,
  })
  if (outcome.kind === 'refused') return refused(outcome.reason, { challenge, at })

  const { officeId } = await ownerOf(system, credential)
  const use = { actor: asked.actor, at, officeId, challenge, credential, seen: outcome.seen }
  const anomaly = anomalyOf(credential, outcome.seen)
  return anomaly ? suspected(use, anomaly) : accepted(use)
}

/** The use of a key with a valid signature. */
type KeyUse = {
  actor: Actor
  at: Instant
  officeId: OfficeId
  challenge: WebauthnChallenge
  credential: WebauthnCredential
  seen: KeyState
}

async function findChallenge({ db }: Judging, asked: KeyQuestion) {
  const said = readClientData(asked.response)
  const challenge = said && (await findWebauthnChallenge(db, said.challenge))
  const isTheirs =
    challenge?.bearer === asked.bearer &&
    challenge.userId === asked.userId &&
    challenge.purpose === asked.purpose
  return isTheirs ? challenge : undefined
}

function refusalOfKey(
  credential: WebauthnCredential | undefined,
  { userId, response }: KeyQuestion,
): KeyRefusal | undefined {
  if (credential?.userId !== userId) return 'unknown-key'
  if (credential.state === 'removed') return 'removed-key'
  if (credential.state === 'suspect') return 'suspect-key'
  const { userHandle } = response.response
  if (userHandle && userHandle !== userHandleOf(userId)) return 'other-person'
}

async function ownerOf({ db }: Judging, { userId, id }: WebauthnCredential) {
  const owner = await findUser(db, userId)
  if (!owner) throw new Error(`key ${id} has no owner`)
  return owner
}

const nothing = async () => {}

/** @param open the challenge, which this answer consumes; absent if it can be answered no more */
function refused(
  reason: KeyRefusal,
  open?: Pick<KeyUse, 'challenge' | 'at'>,
): CheckedKeyAnswer & { ok: false } {
  return {
    ok: false,
    reason,
    async commit(trx) {
      if (open) await endWebauthnChallenge(trx, open.challenge.id, open.at)
    },
    record: nothing,
  }
}

function accepted(use: KeyUse): CheckedKeyAnswer {
  const { at, challenge, credential, seen } = use
  const hasMoved = seen.backup !== credential.backup
  return {
    ok: true,
    credential,
    async commit(trx) {
      if (!(await endWebauthnChallenge(trx, challenge.id, at))) return false
      if (!(await replaceKeyState(trx, credential.id, seen, at))) return false
      if (hasMoved) await warnOwner(trx, use, seen.backup)
      return true
    },
    async record(trx) {
      if (hasMoved) await recordMove(trx, use, seen.backup, 'success')
    },
  }
}

function suspected(use: KeyUse, anomaly: KeyAnomaly): CheckedKeyAnswer {
  const { at, challenge, credential } = use
  let isNews = false
  return {
    ok: false,
    reason: anomaly,
    async commit(trx) {
      const state = { at, by: null }
      isNews =
        (await endWebauthnChallenge(trx, challenge.id, at)) &&
        (await replaceWebauthnCredentialState(trx, credential.id, ['active'], 'suspect', state))
      if (!isNews) return
      await warnOwner(trx, use, anomaly)
      await warnAdministrators(trx, use, anomaly)
    },
    async record(trx) {
      if (isNews) await recordMove(trx, use, anomaly, 'refused')
    },
  }
}

type Finding = KeyAnomaly | KeyState['backup']

async function warnOwner(trx: Transaction, use: KeyUse, finding: Finding) {
  await raiseAlert(trx, { ...warningOf(use, finding), userId: use.credential.userId })
}

async function warnAdministrators(trx: Transaction, use: KeyUse, finding: Finding) {
  const warning = warningOf(use, finding)
  await raiseAlert(trx, {
    ...warning,
    occasion: occasions.keyAnomaly(use.challenge.id, 'office'),
    userId: null,
  })
}

function warningOf({ actor, at, officeId, challenge, credential, seen }: KeyUse, anomaly: Finding) {
  return {
    officeId,
    kind: 'key-anomaly' as const,
    severity: anomaly === seen.backup ? ('warning' as const) : ('danger' as const),
    subjectKind: 'second-factor' as const,
    subjectId: credential.id,
    facts: { anomaly, name: credential.name, device: actor.device, ip: actor.ip },
    occasion: occasions.keyAnomaly(challenge.id, 'owner'),
    at,
  }
}

async function recordMove(
  trx: Transaction,
  { actor, at, officeId, credential, seen }: KeyUse,
  anomaly: Finding,
  result: 'success' | 'refused',
) {
  await appendEvent(trx, {
    actor,
    at,
    officeId,
    action: 'webauthn.anomaly',
    subject: { kind: 'second-factor', id: credential.id },
    result,
    details: {
      anomaly,
      name: credential.name,
      counterBefore: credential.counter,
      counter: seen.counter,
    },
  })
}
