import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit-events.ts'
import { endAttempts, refundAttempt } from '#server/db/login-attempts.ts'
import { findOffice } from '#server/db/offices.ts'
import { insertSession } from '#server/db/sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { findCredentials, findUser } from '#server/db/users.ts'
import { hashOfToken, TOKEN_BYTES, type Token, tokenFrom } from '#server/domain/crypto/token.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { Session } from '#server/domain/identity/session.ts'
import type { User } from '#server/domain/identity/user.ts'
import { SessionId } from '#server/domain/ids.ts'
import { after, type Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { spendSignInAttempt } from './spend-sign-in-attempt.ts'

export const SignIn = z.object({
  email: Email,
  /** Longer ones are refused before anything is computed. */
  password: z.string().min(1).max(128),
})
export type SignIn = z.infer<typeof SignIn>

export type SignInOutcome =
  /** Unknown address, wrong password, suspended, not yet activated: nobody is told which. */
  { kind: 'refused' } | { kind: 'signed-in'; token: Token; session: Session; user: User }

/**
 * Opens a session for whoever knows the password of an active account. Each sign-in has a session of its
 * own and a new token. A refusal takes as long whether the account exists or not.
 *
 * @throws {Problem} `too-many-attempts`, for this account from this network or for the network as a whole
 */
export async function signIn(system: System, actor: Actor, input: SignIn): Promise<SignInOutcome> {
  const { db, clock, passwords } = system
  const keys = await spendSignInAttempt(db, actor, input.email, clock.now())

  const found = await findCredentials(db, input.email)
  const isRight = await passwords.verify(found?.passwordHash ?? undefined, input.password)
  const at = clock.now()

  return await db.transaction(async (trx): Promise<SignInOutcome> => {
    // Again, and inside: the account may have been suspended while the password was hashed.
    const user = found && (await findUser(trx, found.user.id))
    const office = user && (await findOffice(trx, user.officeId))
    if (!isRight || !user || !office || user.state !== 'active') {
      await appendRefusal(trx, actor, user, isRight, at)
      return { kind: 'refused' }
    }
    await endAttempts(trx, keys.account)
    await refundAttempt(trx, keys.network)
    const token = tokenFrom(randomBytes(TOKEN_BYTES))
    const session = newSession(user, office, actor, at)
    await insertSession(trx, session, hashOfToken(token))
    await appendEvent(trx, {
      actor: { ...actor, ...personOf(user, session) },
      at,
      action: 'session.started',
      subject: { kind: 'session', id: session.id },
      details: { method: 'password' },
    })
    return { kind: 'signed-in', token, session, user }
  })
}

async function appendRefusal(
  trx: Transaction,
  actor: Actor,
  user: User | undefined,
  isRight: boolean,
  at: Instant,
) {
  const reason = isRight ? (user?.state ?? 'unknown') : 'wrong-password'
  await appendEvent(trx, {
    actor,
    at,
    officeId: user?.officeId ?? null,
    action: 'session.refused',
    subject: user ? { kind: 'user', id: user.id } : { kind: 'nothing' },
    result: 'refused',
    // What was typed is not kept: people type their password into the wrong field.
    details: { reason: user ? reason : 'unknown-account' },
  })
}

function newSession(user: User, office: Office, actor: Actor, at: Instant): Session {
  return {
    id: SessionId.parse(randomUUID()),
    userId: user.id,
    officeId: user.officeId,
    device: actor.device,
    ip: actor.ip,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: after(at, office.sessionAbsolute),
    endedAt: null,
    endedBy: null,
    endReason: null,
  }
}

function personOf(user: User, session: Session) {
  const { id: userId, officeId, firstName, lastName, rfc, roles } = user
  const kind = 'person' as const
  const signedInAt = session.createdAt
  return {
    kind,
    userId,
    officeId,
    sessionId: session.id,
    firstName,
    lastName,
    rfc,
    roles,
    signedInAt,
  }
}
