import { appendEvent } from '#server/db/audit/audit-events.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { findAccessTokenByHash, replaceLastUse } from '#server/db/people/access-tokens.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import { hashOfToken } from '#server/domain/crypto/token.ts'
import {
  type AccessToken,
  type AccessTokenScope,
  isUsable,
  readAccessToken,
} from '#server/domain/identity/access-token.ts'
import type { Origin, Person } from '#server/domain/identity/actor.ts'
import { CALLS_OF_TOKEN, TOKENS_FROM_NETWORK } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import { dutyOf } from '#server/domain/identity/duty.ts'
import { SessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { before, type Instant, minutes } from '#server/domain/time.ts'
import { mustOperate } from '#server/steps/policy/must-operate.ts'
import {
  consumeLimitedAttempt,
  tooManyAttempts,
} from '#server/steps/sign-ins/consume-limited-attempt.ts'
import { consumeNetworkAttempt } from '#server/steps/sign-ins/consume-network-attempt.ts'
import type { System } from '#server/system.ts'

/** The last use is written and logged at most this often. */
const LAST_USED_INTERVAL = minutes(10)

/**
 * The owner of this access token. A token never counts as fresh authentication.
 *
 * @param text as the program sent it
 * @throws {Problem} `not-signed-in` for an invalid or revoked token or another scope; `office-suspended`,
 *   `too-many-attempts`
 */
export async function resumeWithToken(
  system: System,
  origin: Origin,
  text: string,
  scope: AccessTokenScope,
): Promise<Person> {
  const { db, clock } = system
  const now = clock.now()
  const secret = readAccessToken(text)
  const token = secret && (await findAccessTokenByHash(db, hashOfToken(secret)))
  const person =
    token && isUsable(token, now) && token.scopes.includes(scope)
      ? await personOf(db, token, origin, now)
      : undefined
  if (!token || !person) {
    const { ip } = origin
    const tokens = { keyOf: throttleKeys.unknownAccessToken, ip, policy: TOKENS_FROM_NETWORK }
    await consumeNetworkAttempt(db, tokens, now)
    throw new Problem('not-signed-in', 'no such access token')
  }
  await mustOperate(db, person.officeId)
  await consumeCall(system, token, now)
  await noteUse(system, token, person, now)
  return person
}

async function personOf(
  db: Reader,
  token: AccessToken,
  { ip, device, requestId }: Origin,
  now: Instant,
): Promise<Person | undefined> {
  const user = await findUser(db, token.userId)
  const office = await findOffice(db, token.officeId)
  if (user?.state !== 'active' || !office) return undefined
  const { passwordChangeSince, stateSince: activeSince } = user
  const { hasSecondFactor } = await listHeldFactors(db, user.id)
  const { secondFactorGrace } = office
  const facts = { passwordChangeSince, activeSince, hasSecondFactor, secondFactorGrace }
  return {
    kind: 'person',
    userId: user.id,
    officeId: user.officeId,
    sessionId: SessionId.parse(token.id),
    roles: user.roles,
    firstName: user.firstName,
    lastName: user.lastName,
    rfc: user.rfc,
    ip,
    device,
    requestId,
    browser: null,
    signedInAt: token.createdAt,
    provenAt: token.createdAt,
    secondFactorAt: null,
    duty: dutyOf(facts, now),
  }
}

async function consumeCall({ db }: System, token: AccessToken, at: Instant): Promise<void> {
  const limit = { key: throttleKeys.callsOfAccessToken(token.id), policy: CALLS_OF_TOKEN }
  const spent = await consumeLimitedAttempt(db, [limit], at)
  if (!spent.allowed) throw tooManyAttempts(spent, spent.refusedBy.key)
}

async function noteUse({ db }: System, token: AccessToken, person: Person, at: Instant) {
  if (token.lastUsedAt !== null && token.lastUsedAt > before(at, LAST_USED_INTERVAL)) return
  await db.transaction(async (trx) => {
    await replaceLastUse(trx, token.id, at)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'access-token.used',
      subject: { kind: 'access-token', id: token.id },
      details: { name: token.name },
    })
  })
}
