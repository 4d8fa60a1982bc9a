import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  insertAccessToken,
  listAccessTokens,
  lockAccessTokensOf,
} from '#server/db/people/access-tokens.ts'
import { findSession } from '#server/db/sign-ins/sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { hashOfToken, TOKEN_BYTES, tokenFrom } from '#server/domain/crypto/token.ts'
import {
  ACCESS_TOKEN_DAYS,
  type AccessToken,
  accessTokenText,
  MOST_ACCESS_TOKENS,
} from '#server/domain/identity/access-token.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { AccessTokenId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, days } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import {
  DAYS_MISSING,
  NAME_MISSING,
  NAME_NOT_ALLOWED,
  NAME_TOO_LONG,
} from '#server/words/access-tokens.ts'

export const CreateAccessToken = z.object({
  name: z
    .string()
    .trim()
    .min(1, NAME_MISSING)
    .max(60, NAME_TOO_LONG)
    .refine((name) => !/\p{Cc}/u.test(name) && name.isWellFormed(), NAME_NOT_ALLOWED),
  days: z.coerce
    .number()
    .refine((count) => ACCESS_TOKEN_DAYS.some((one) => one === count), DAYS_MISSING),
})
export type CreateAccessToken = z.infer<typeof CreateAccessToken>

/**
 * Creates an access token for a program of the caller and notifies them.
 *
 * @returns `text` is the secret; it is never shown again
 * @throws {Problem} `not-signed-in`, also if the session was ended meanwhile; `step-up-needed`,
 *   `too-many-access-tokens`
 */
export async function createAccessToken(
  system: System,
  actor: Actor,
  input: CreateAccessToken,
): Promise<{ text: string; token: AccessToken }> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'access-tokens.manage-own', own, at)
  const secret = tokenFrom(randomBytes(TOKEN_BYTES))
  const token: AccessToken = {
    id: AccessTokenId.parse(randomUUID()),
    officeId: person.officeId,
    userId: person.userId,
    name: input.name,
    scopes: ['sign'],
    createdAt: at,
    expiresAt: after(at, days(input.days)),
    lastUsedAt: null,
    revokedAt: null,
  }
  await db.transaction(async (trx) => {
    // Serialized, so that concurrent requests cannot exceed the limit.
    await lockAccessTokensOf(trx, person.userId)
    await mustStillBeSignedIn(trx, person)
    const usable = await listAccessTokens(trx, person.userId, at)
    if (usable.length >= MOST_ACCESS_TOKENS)
      throw new Problem('too-many-access-tokens', `${person.userId} has ${usable.length}`)
    await insertAccessToken(trx, token, hashOfToken(secret))
    await raiseAlert(trx, {
      officeId: person.officeId,
      userId: person.userId,
      kind: 'access-token-created',
      severity: 'information',
      facts: { name: token.name, device: person.device, ip: person.ip },
      occasion: occasions.accessTokenCreated(token.id),
      at,
    })
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'access-token.created',
      subject: { kind: 'access-token', id: token.id },
      details: { name: token.name, scopes: token.scopes.join(' '), expiresAt: token.expiresAt },
    })
  })
  return { text: accessTokenText(secret), token }
}

/*
 * Read again under the lock: what ends all tokens of a user, such as a recovery, ends their sessions too, and a request
 * that was under way would leave a token behind.
 */
async function mustStillBeSignedIn(trx: Transaction, { sessionId }: Person): Promise<void> {
  const session = await findSession(trx, sessionId)
  if (session?.endedAt !== null)
    throw new Problem('not-signed-in', `session ${sessionId} was ended meanwhile`)
}
