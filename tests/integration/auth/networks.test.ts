import { expect, test } from 'vitest'
import {
  type AttemptPolicy,
  LINKS_FROM_NETWORK,
  RATINGS_FROM_NETWORK,
  TOKENS_FROM_NETWORK,
  VERIFICATIONS_FROM_NETWORK,
} from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import { Email } from '#server/domain/identity/email.ts'
import { minutes } from '#server/domain/time.ts'
import { consumeSignInAttempt } from '#server/features/auth/consume-sign-in-attempt.ts'
import { ratePasswordStrength } from '#server/features/auth/rate-password-strength.ts'
import { resumeWithToken } from '#server/features/auth/resume-with-token.ts'
import { consumePublicAttempt } from '#server/features/verification/consume-public-attempt.ts'
import { consumeCodeAttempt } from '#server/steps/sign-ins/consume-code-attempt.ts'
import { consumeLinkAttempt } from '#server/steps/sign-ins/consume-link-attempt.ts'
import { consumeNetworkAttempt } from '#server/steps/sign-ins/consume-network-attempt.ts'
import { MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const EMAIL = Email.parse('ximena@notaria.example')
const UNKNOWN = { user: undefined, isKnown: false }
const hex = (number: number) => number.toString(16)

/** An attacker who owns networks and uses the next one for each attempt. */
const ROTATIONS: Record<string, (turn: number) => string> = {
  'the addresses of a /64': (turn) => `2001:db8:7:100::${hex(turn + 1)}`,
  'the /64 networks of a /56': (turn) => `2001:db8:7:1${hex(turn % 256).padStart(2, '0')}::1`,
  'the /56 networks of a /48': (turn) => `2001:db8:7:${hex(turn % 256)}00::1`,
}
const FREE = {
  'the addresses of a /64': 1,
  'the /64 networks of a /56': 2,
  'the /56 networks of a /48': 4,
}

/** How many attempts pass until the first refusal. */
async function passed(attempt: (ip: string) => Promise<unknown>, ipOf: (turn: number) => string) {
  for (let turn = 0; turn < 1_000; turn += 1)
    try {
      await attempt(ipOf(turn))
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-many-attempts' })
      return turn
    }
  return Number.POSITIVE_INFINITY
}

onEachSystem('networks', (current) => {
  test.each(Object.entries(FREE))('%s: %d times the attempts of a /64', async (name, factor) => {
    const policy: AttemptPolicy = { free: 6, window: minutes(15) }
    const attempt = (ip: string) =>
      consumeNetworkAttempt(current().db, { keyOf: throttleKeys.link, ip, policy }, MORNING)
    expect(await passed(attempt, ROTATIONS[name] ?? String)).toBe(6 * factor)
    // Another provider, and IPv4, are not charged.
    await attempt('2001:db8:8::1')
    await attempt('203.0.113.9')
  })

  test.each(Object.entries(FREE))('%s: passwords for one account', async (name, factor) => {
    const system = current()
    const attempt = (ip: string) =>
      consumeSignInAttempt(system, stranger({ ip }), { email: EMAIL, ...UNKNOWN }, MORNING)
    expect(await passed(attempt, ROTATIONS[name] ?? String)).toBe(5 * factor)
  })

  test.each(Object.entries(FREE))('%s: second factors of one account', async (name, factor) => {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db), ['CLERK'])
    const attempt = (ip: string) => consumeCodeAttempt(system, stranger({ ip }), user, MORNING)
    expect(await passed(attempt, ROTATIONS[name] ?? String)).toBe(5 * factor)
  })

  test('the /56 networks of a /48: passwords for many accounts', async () => {
    const system = current()
    let turn = 0
    const attempt = (ip: string) => {
      turn += 1
      const email = Email.parse(`persona${turn}@notaria.example`)
      return consumeSignInAttempt(system, stranger({ ip }), { email, ...UNKNOWN }, MORNING)
    }
    const ipOf = ROTATIONS['the /56 networks of a /48'] ?? String
    expect(await passed(attempt, ipOf)).toBe(400)
  })

  const elsewhere: [string, AttemptPolicy, (system: TestSystem, ip: string) => Promise<unknown>][] =
    [
      ['links', LINKS_FROM_NETWORK, ({ db }, ip) => consumeLinkAttempt(db, ip, MORNING)],
      [
        'password ratings',
        RATINGS_FROM_NETWORK,
        (system, ip) => ratePasswordStrength(system, stranger({ ip }), { password: 'corta' }),
      ],
      [
        'invalid access tokens',
        TOKENS_FROM_NETWORK,
        async (system, ip) => {
          const refused = resumeWithToken(system, stranger({ ip }), 'no-token', 'sign')
          const error = await refused.catch((thrown) => thrown)
          if (error.code !== 'not-signed-in') throw error
        },
      ],
      [
        'public verification',
        VERIFICATIONS_FROM_NETWORK,
        (system, ip) => consumePublicAttempt(system, stranger({ ip }), 'file'),
      ],
    ]

  test.each(elsewhere)('the /56 networks of a /48: %s', async (_, { free }, attempt) => {
    const ipOf = ROTATIONS['the /56 networks of a /48'] ?? String
    await attempt(current(), ipOf(0))
    // Nearly used up by others of the same /48.
    await current().db.transaction((trx) =>
      trx
        .updateTable('attempts')
        .set({ attempts: free * 4 - 2 })
        .where('key', 'like', '%/48')
        .execute(),
    )
    expect(
      await passed(
        (ip) => attempt(current(), ip),
        (turn) => ipOf(turn + 1),
      ),
    ).toBe(2)
  })
})
