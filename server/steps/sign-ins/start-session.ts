import { randomBytes, randomUUID } from 'node:crypto'
import {
  hasKnownDevices,
  insertKnownDevice,
  isKnownDevice,
} from '#server/db/sign-ins/known-devices.ts'
import { endGenerations, insertGeneration } from '#server/db/sign-ins/session-tokens.ts'
import {
  findOpenedSession,
  findSession,
  insertSession,
  lockSessionsOf,
  personOf,
  replaceGeneration,
} from '#server/db/sign-ins/sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { type SessionTokens, tokensOf } from '#server/domain/crypto/session-tokens.ts'
import { TOKEN_BYTES, tokenFrom } from '#server/domain/crypto/token.ts'
import type { Origin, Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { type SecondFactor, strongerFactor } from '#server/domain/identity/second-factor.ts'
import type { Session } from '#server/domain/identity/session.ts'
import type { User } from '#server/domain/identity/user.ts'
import { SessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, type Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'

export type SessionStart = {
  user: User
  office: Office
  /** The origin of the request. */
  actor: Origin
  at: Instant
  tokenKey: Uint8Array
  /** Null if the password sufficed. */
  secondFactor: SecondFactor | null
}

export type StartedSession = {
  session: Session
  tokens: SessionTokens
  /** The new actor, for the event that the caller logs. */
  person: Person
  /** True if the user has known devices and this is a new one; an alert was raised, or counts it. */
  isNewDevice: boolean
}

/** Starts a new session with new tokens for an authenticated user. The caller logs the event. */
export async function startSession(
  trx: Transaction,
  { user, office, actor, at, tokenKey, secondFactor }: SessionStart,
): Promise<StartedSession> {
  const session: Session = {
    id: SessionId.parse(randomUUID()),
    userId: user.id,
    officeId: user.officeId,
    device: actor.device,
    ip: actor.ip,
    browser: actor.browser,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: after(at, office.sessionAbsolute),
    generation: 1,
    provenAt: at,
    secondFactor,
    secondFactorAt: secondFactor && at,
    endedAt: null,
    endedBy: null,
    endReason: null,
  }
  const tokens = newTokens(tokenKey, session)
  await insertSession(trx, session)
  const first = { sessionId: session.id, number: 1, cause: 'sign-in', tokens, at } as const
  await insertGeneration(trx, first)
  const isNewDevice = await rememberDevice(trx, session, at)
  const opened = await findOpenedSession(trx, session.id)
  if (!opened) throw new Error(`session ${session.id} is not there after it was written`)
  return { session, tokens, person: personOf(opened, actor, at), isNewDevice }
}

/**
 * Replaces the session's tokens after a step-up or a change of credentials; all older tokens are revoked.
 *
 * @throws {Problem} `not-signed-in` when the session has ended meanwhile
 */
export async function renewSession(
  trx: Transaction,
  renewal: {
    sessionId: SessionId
    at: Instant
    tokenKey: Uint8Array
    /** The factor just used; null for none. */
    secondFactor: SecondFactor | null
    /** Time of the last authentication; defaults to `at`. */
    provenAt?: Instant
  },
): Promise<SessionTokens> {
  const { sessionId, at, tokenKey, secondFactor, provenAt = at } = renewal
  const before = await findSession(trx, sessionId)
  if (before) await lockSessionsOf(trx, before.userId)
  const session = before && (await findSession(trx, sessionId))
  const number = (session?.generation ?? 0) + 1
  const proof = {
    proven_at: provenAt,
    second_factor: strongerFactor(session?.secondFactor ?? null, secondFactor),
    second_factor_at: secondFactor ? at : (session?.secondFactorAt ?? null),
  }
  const isOver = !session || at >= session.expiresAt
  if (isOver || !(await replaceGeneration(trx, sessionId, number, proof)))
    throw new Problem('not-signed-in', `session ${sessionId} is over`)
  const tokens = newTokens(tokenKey, session)
  await endGenerations(trx, sessionId, session.generation, { at, accessUntil: at })
  await insertGeneration(trx, { sessionId, number, cause: 'step-up', tokens, at })
  return tokens
}

const newTokens = (key: Uint8Array, { expiresAt }: Session) =>
  tokensOf(key, tokenFrom(randomBytes(TOKEN_BYTES)), expiresAt)

/** Records the device. Returns true, and warns the user, if they have other devices and this one is new. */
async function rememberDevice(trx: Transaction, session: Session, at: Instant): Promise<boolean> {
  const { id, officeId, userId, browser, device, ip } = session
  const isKnown = browser !== null && (await isKnownDevice(trx, userId, browser))
  const isNewDevice = !isKnown && (await hasKnownDevices(trx, userId))
  if (browser) await insertKnownDevice(trx, { userId, browser, device, at })
  if (isNewDevice)
    await raiseAlert(trx, {
      officeId,
      userId,
      kind: 'new-device',
      severity: 'warning',
      subjectKind: 'session',
      subjectId: id,
      facts: { device, ip },
      occasion: occasions.newDevice(userId, device, at),
      at,
    })
  return isNewDevice
}
