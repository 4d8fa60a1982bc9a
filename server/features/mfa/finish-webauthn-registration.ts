import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { countBackupCodes } from '#server/db/factors/backup-codes.ts'
import {
  endWebauthnChallenge,
  findWebauthnChallenge,
} from '#server/db/factors/webauthn-challenges.ts'
import {
  insertWebauthnCredential,
  listWebauthnCredentials,
} from '#server/db/factors/webauthn-credentials.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { modelOf } from '#server/domain/identity/authenticator-models.ts'
import {
  type KeyRefusal,
  type RegistrationAnswer,
  readClientData,
} from '#server/domain/identity/webauthn-answer.ts'
import {
  refusalOfChallenge,
  type WebauthnChallenge,
} from '#server/domain/identity/webauthn-challenge.ts'
import {
  MOST_KEYS,
  nameFor,
  type WebauthnCredential,
  type WebauthnCredentialName,
} from '#server/domain/identity/webauthn-credential.ts'
import { rpIdOf } from '#server/domain/identity/webauthn-options.ts'
import { WebauthnCredentialId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { renewSession } from '#server/steps/sign-ins/start-session.ts'
import type { System } from '#server/system.ts'
import { recordNewBackupCodes, warnOfChange } from './factor-changes.ts'
import { giveBackupCodes, makeBackupCodes, type NewBackupCodes } from './make-backup-codes.ts'

export type FinishWebauthnRegistration = {
  response: RegistrationAnswer
  /** Defaults to the model of the key. */
  name?: WebauthnCredentialName | undefined
}

export type RegisteredKey = {
  credential: WebauthnCredential
  /** The session's tokens are replaced: copies of the old ones stop working. */
  tokens: SessionTokens
  /** Created with the first second factor; shown once. */
  backupCodes?: string[]
}

/**
 * Registers the key that answered as a second factor. The first one also creates backup codes.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`, or `factor-refused` when the answer is not genuine, not
 *   to a challenge of this session, or for a key that is registered already; `too-many-keys`
 */
export async function finishWebauthnRegistration(
  system: System,
  actor: Actor,
  input: FinishWebauthnRegistration,
): Promise<RegisteredKey> {
  const { db, clock, webauthn } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'factors.manage-own', own, at)

  const challenge = await findChallenge(system, person, input.response)
  const spent = challenge ? refusalOfChallenge(challenge, at) : 'unknown-challenge'
  if (!challenge || spent) return await refuse(system, person, at, spent ?? 'unknown-challenge')
  const outcome = await webauthn.verifyRegistration(input.response, challenge.challenge)
  if (outcome.kind === 'refused') return await refuse(system, person, at, outcome.reason, challenge)

  const { attestation, ...key } = outcome.key
  const name =
    input.name ?? nameFor(modelOf(key.aaguid), await listWebauthnCredentials(db, own.userId))
  const credential = newCredential(system, person, { ...key, name }, at)
  // Ten slow hashes: computed outside the transaction.
  const hasCodes = (await countBackupCodes(db, person.userId)) !== undefined
  const codes = hasCodes ? undefined : await makeBackupCodes(system)
  const taken = await db.transaction((trx) =>
    take(trx, { system, person, at, challenge, credential, attestation, codes }),
  )
  if (taken.kind === 'refused') return await refuse(system, person, at, taken.reason)
  const { tokens, backupCodes } = taken
  return { credential, tokens, ...(backupCodes && { backupCodes }) }
}

async function findChallenge({ db }: System, person: Person, response: RegistrationAnswer) {
  const said = readClientData(response)
  const challenge = said && (await findWebauthnChallenge(db, said.challenge))
  const isTheirs =
    challenge?.bearer === person.sessionId &&
    challenge.userId === person.userId &&
    challenge.purpose === 'registration'
  return isTheirs ? challenge : undefined
}

type KeyToTake = {
  system: System
  person: Person
  at: Instant
  challenge: WebauthnChallenge
  credential: WebauthnCredential
  attestation: Uint8Array
  codes: NewBackupCodes | undefined
}

type Taken =
  | { kind: 'taken'; tokens: SessionTokens; backupCodes?: string[] | undefined }
  | { kind: 'refused'; reason: KeyRefusal }

async function take(trx: Transaction, key: KeyToTake): Promise<Taken> {
  const { system, person, at, challenge, credential, attestation } = key
  if (!(await endWebauthnChallenge(trx, challenge.id, at)))
    return { kind: 'refused', reason: 'used-challenge' }
  // Serialized, so that concurrent requests cannot exceed the limit.
  await lockUntilCommit(trx, `factors:${person.userId}`)
  if ((await listWebauthnCredentials(trx, person.userId)).length >= MOST_KEYS)
    throw new Problem('too-many-keys', `${person.userId} has ${MOST_KEYS}`)
  if (!(await insertWebauthnCredential(trx, credential, attestation)))
    return { kind: 'refused', reason: 'already-registered' }
  const given = await giveBackupCodes(trx, person.userId, key.codes, at)
  const { tokenKey } = system.settings
  const { sessionId } = person
  const tokens = await renewSession(trx, { sessionId, at, tokenKey, secondFactor: 'WEBAUTHN' })
  await warnOfChange(trx, person, 'key-registered', credential.id, at, credential.name)
  await appendEvent(trx, {
    actor: person,
    at,
    action: 'webauthn.registered',
    subject: { kind: 'second-factor', id: credential.id },
    details: {
      name: credential.name,
      model: modelOf(credential.aaguid),
      aaguid: credential.aaguid,
      algorithm: credential.algorithm,
      deviceType: credential.deviceType,
      backup: credential.backup,
      userVerification: credential.userVerification,
    },
  })
  if (given) await recordNewBackupCodes(trx, person, given.setId, at)
  return { kind: 'taken', tokens, backupCodes: given?.codes }
}

function newCredential(
  { settings }: System,
  { userId }: Person,
  key: Omit<
    WebauthnCredential,
    'id' | 'userId' | 'rpId' | 'createdAt' | 'lastUsedAt' | 'state' | 'stateSince' | 'stateBy'
  >,
  at: Instant,
): WebauthnCredential {
  return {
    ...key,
    id: WebauthnCredentialId.parse(randomUUID()),
    userId,
    rpId: rpIdOf(settings.publicOrigin),
    createdAt: at,
    lastUsedAt: null,
    state: 'active',
    stateSince: at,
    stateBy: userId,
  }
}

/** A challenge can be answered once, right or wrong. */
async function refuse(
  { db }: System,
  person: Person,
  at: Instant,
  reason: KeyRefusal,
  challenge?: WebauthnChallenge,
): Promise<never> {
  await db.transaction(async (trx) => {
    if (challenge) await endWebauthnChallenge(trx, challenge.id, at)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'webauthn.refused',
      subject: { kind: 'user', id: person.userId },
      result: 'refused',
      details: { reason },
    })
  })
  throw new Problem('factor-refused', `no key of ${person.userId} is registered: ${reason}`)
}
