import { appendEvent } from '#server/db/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import { spendAttempt } from '#server/db/login-attempts.ts'
import { findCredentials } from '#server/db/users.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { networkOf } from '#server/domain/identity/network.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Instant, minutes } from '#server/domain/time.ts'

const WINDOW = minutes(15)
/** Counted by account *and* network: a stranger elsewhere cannot use up what the real person has. */
const MOST_OF_ACCOUNT = 10
/** An office of many people stands behind one address; those who get in are not counted. */
const MOST_OF_NETWORK = 100

export type AttemptKeys = { account: string; network: string }

/**
 * Counts an attempt before the password is looked at, so that a hundred at once are a hundred.
 *
 * @throws {Problem} `too-many-attempts`; the log tells it once a window, or its flood would drown it
 */
export async function spendSignInAttempt(
  db: Database,
  actor: Actor,
  email: Email,
  at: Instant,
): Promise<AttemptKeys> {
  const keys = keysOf(email, actor.ip)
  const spent = await db.transaction(async (trx) => {
    const network = await spendAttempt(trx, keys.network, at, WINDOW)
    const account = await spendAttempt(trx, keys.account, at, WINDOW)
    const isFirst =
      network === MOST_OF_NETWORK + 1 ||
      (account === MOST_OF_ACCOUNT + 1 && network <= MOST_OF_NETWORK)
    if (isFirst) {
      const user = (await findCredentials(trx, email))?.user
      await appendEvent(trx, {
        actor,
        at,
        officeId: user?.officeId ?? null,
        action: 'session.throttled',
        subject: user ? { kind: 'user', id: user.id } : { kind: 'nothing' },
        result: 'refused',
        details: { limit: network > MOST_OF_NETWORK ? 'network' : 'account' },
      })
    }
    return { network, account }
  })
  if (spent.network > MOST_OF_NETWORK || spent.account > MOST_OF_ACCOUNT)
    throw new Problem(
      'too-many-attempts',
      `attempt ${spent.account} of the account, ${spent.network} of ${keys.network}`,
    )
  return keys
}

/* The address is hashed: the table is not a list of who tried to sign in. */
function keysOf(email: Email, ip: string): AttemptKeys {
  const network = networkOf(ip)
  return { account: `account:${sha256(`${email}\n${network}`)}`, network: `network:${network}` }
}
