import { randomBytes } from 'node:crypto'
import { appendEvent, type NewEvent } from '#server/db/audit/audit-events.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { insertSignIn } from '#server/db/sign-ins/sign-ins.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import { TOKEN_BYTES, type Token, tokenFrom } from '#server/domain/crypto/token.ts'
import type { Actor, Duty } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { SecondFactor } from '#server/domain/identity/second-factor.ts'
import type { Session } from '#server/domain/identity/session.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { SignInId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { mustOperate } from '#server/steps/policy/must-operate.ts'
import { startSession } from '#server/steps/sign-ins/start-session.ts'

/** The outcome of a correct password or activation link. */
export type FirstFactorOutcome =
  | {
      kind: 'second-factor-next'
      /** Set as a cookie; the second step accepts nothing else. */
      token: Token
      signIn: {
        /** Public, and useless without the token. */
        id: SignInId
        expiresAt: Instant
        methods: SecondFactor[]
      }
    }
  | {
      kind: 'signed-in'
      tokens: SessionTokens
      session: Session
      user: User
      /** What the user must do before anything else. */
      duty: Duty | null
    }

export type FirstFactor = {
  user: User
  office: Office
  actor: Actor
  at: Instant
  tokenKey: Uint8Array
  by: 'password' | 'activation' | 'recovery' | 'switch'
  /** Earlier events of the same transaction, logged before this one. */
  before?: readonly NewEvent[]
}

/**
 * Completes the first factor of `user`: starts a session, or asks for the second factor if the user has one.
 * Logs the event.
 *
 * @throws {Problem} `office-suspended`
 */
export async function completeFirstFactor(
  trx: Transaction,
  firstFactor: FirstFactor,
): Promise<FirstFactorOutcome> {
  const { user } = firstFactor
  await mustOperate(trx, user.officeId)
  const { hasSecondFactor, methods } = await listHeldFactors(trx, user.id)
  return hasSecondFactor
    ? await askSecondFactor(trx, firstFactor, methods)
    : await openSession(trx, firstFactor)
}

async function askSecondFactor(
  trx: Transaction,
  { user, actor, at, by, before = [] }: FirstFactor,
  methods: SecondFactor[],
): Promise<FirstFactorOutcome> {
  const token = tokenFrom(randomBytes(TOKEN_BYTES))
  const { id, expiresAt } = await insertSignIn(trx, user, token, at)
  for (const event of before) await appendEvent(trx, event)
  await appendEvent(trx, {
    actor,
    at,
    officeId: user.officeId,
    action: 'session.password-accepted',
    subject: { kind: 'user', id: user.id },
    details: { method: by },
  })
  return { kind: 'second-factor-next', token, signIn: { id, expiresAt, methods } }
}

async function openSession(
  trx: Transaction,
  { user, office, actor, at, tokenKey, by, before = [] }: FirstFactor,
): Promise<FirstFactorOutcome> {
  const start = { user, office, actor, at, tokenKey, secondFactor: null }
  const { session, tokens, person } = await startSession(trx, start)
  for (const event of before) await appendEvent(trx, event)
  await appendEvent(trx, {
    actor: person,
    at,
    action: 'session.started',
    subject: { kind: 'session', id: session.id },
    details: { method: by },
  })
  return { kind: 'signed-in', tokens, session, user, duty: person.duty }
}
