import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { replaceUserState } from '#server/db/people/users.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { tokenFrom } from '#server/domain/crypto/token.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { after, hours, minutes, seconds, toTimestamp } from '#server/domain/time.ts'
import { logVainAttempts } from '#server/features/auth/log-vain-attempts.ts'
import type { ShownFactor } from '#server/features/mfa/check-factor.ts'
import { listFactors } from '#server/features/mfa/list-factors.ts'
import { verifySecondFactor } from '#server/features/mfa/verify-second-factor.ts'
import { storedOffice, stranger } from '#tests/support/builders.ts'
import { codeAt } from '#tests/support/keys/authenticator-app.ts'
import {
  alerts,
  aSignedInUser,
  busySystem,
  colleague,
  recorded,
  shown,
  withApp,
} from '#tests/support/keys/second-factors.ts'
import { openSignIn } from '#tests/support/keys/security-keys.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const totp = (code: string): ShownFactor => ({ method: 'TOTP', code })
const backup = (code = ''): ShownFactor => ({ method: 'BACKUP_CODE', code })
const elsewhere = (number: number) =>
  stranger({ ip: `198.51.${number}.1`, browser: sha256(`elsewhere-${number}`) })

async function withFactors(system: TestSystem, office?: Office) {
  const owner = office ? await colleague(system, office) : await aSignedInUser(system)
  const { secret, backupCodes } = await withApp(system, owner.person)
  return { ...owner, secret, backupCodes, from: (await system.log()).length }
}

function kinds(outcomes: readonly { kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

onEachSystem('the second factor of a sign-in', (current) => {
  test('a code of the app opens a session', async () => {
    const system = current()
    const { user, secret, from } = await withFactors(system)
    const token = await openSignIn(system, user)
    const outcome = await verifySecondFactor(system, stranger(), token, totp(shown(system, secret)))
    expect(outcome).toMatchObject({
      kind: 'signed-in',
      duty: null,
      user: { id: user.id },
      session: { userId: user.id, secondFactor: 'TOTP', secondFactorAt: system.clock.now() },
    })
    expect(await recorded(system, from)).toEqual([
      'session.started success {"factor":"TOTP","method":"second-factor"}',
    ])
    const [event] = (await system.log()).slice(from)
    expect(event).toMatchObject({ actor: { kind: 'person', userId: user.id }, ip: '203.0.113.7' })
    // The sign-in is used up.
    system.wait(seconds(30))
    expect(
      await verifySecondFactor(system, stranger(), token, totp(shown(system, secret))),
    ).toEqual({ kind: 'gone' })
  })

  test('a backup code opens one, and few that are left are told', async () => {
    const system = current()
    const { user, person, backupCodes, from } = await withFactors(system)
    for (const [index, code] of backupCodes.entries()) {
      const outcome = await verifySecondFactor(
        system,
        stranger(),
        await openSignIn(system, user),
        backup(`${index + 1} · ${code}`),
      )
      expect(outcome).toMatchObject({ kind: 'signed-in', session: { secondFactor: 'BACKUP_CODE' } })
      system.wait(seconds(1))
    }
    expect(await recorded(system, from)).toEqual(
      backupCodes.map(
        (_, index) =>
          `session.started success {"factor":"BACKUP_CODE","left":${9 - index},"method":"second-factor","number":${index + 1}}`,
      ),
    )
    expect(await alerts(system)).toEqual([
      'factors-changed information',
      'backup-codes-low information',
      'backup-codes-low information',
      'backup-codes-low warning',
    ])
    system.wait(minutes(-1))
    const { backupCodes: stock } = await listFactors(system, person)
    expect(stock).toMatchObject({ left: 0, total: 10 })
    const again = await openSignIn(system, user)
    expect(await verifySecondFactor(system, stranger(), again, backup(backupCodes[0]))).toEqual({
      kind: 'refused',
      attemptsLeft: 4,
      serverTime: system.clock.now(),
    })
  })

  test('after five wrong ones the sign-in is gone, for the right one, too', async () => {
    const system = current()
    const { user, secret, from } = await withFactors(system)
    const token = await openSignIn(system, user)
    const wrong = String((Number(shown(system, secret)) + 1) % 1_000_000).padStart(6, '0')
    const outcomes = []
    for (const code of [wrong, '12345', 'abcdef', '١٢٣٤٥٦', wrong])
      outcomes.push(await verifySecondFactor(system, stranger(), token, totp(code)))
    expect(outcomes).toEqual([
      ...[4, 3, 2, 1].map((attemptsLeft) => ({
        kind: 'refused',
        attemptsLeft,
        serverTime: system.clock.now(),
      })),
      { kind: 'gone' },
    ])
    const right = totp(shown(system, secret))
    expect(await verifySecondFactor(system, stranger(), token, right)).toEqual({ kind: 'gone' })
    // One event for each reason, and one for all that were like it.
    const refused = 'session.second-factor-refused refused'
    expect(await recorded(system, from)).toEqual([
      `${refused} {"attemptsLeft":4,"factor":"TOTP","reason":"wrong-code"}`,
      `${refused} {"attemptsLeft":3,"factor":"TOTP","reason":"malformed"}`,
    ])
    expect(await alerts(system)).toContain('second-factor-failures warning')
    const at = toTimestamp(system.clock.now())
    system.wait(minutes(1))
    await logVainAttempts(system)
    const times = `"factor":"TOTP","first":"${at}","last":"${at}"`
    expect((await recorded(system, from)).slice(2).toSorted()).toEqual([
      `${refused} {"count":1,${times},"reason":"wrong-code"}`,
      `${refused} {"count":2,${times},"reason":"malformed"}`,
    ])
  })

  test('crowded second factor: refused without spending an attempt', async () => {
    const system = current()
    const { user, backupCodes } = await withFactors(system)
    const token = await openSignIn(system, user)
    const code = backup(backupCodes[0])
    const busy = busySystem(system)
    for (let i = 0; i < 11; i++)
      await expect(verifySecondFactor(busy, stranger(), token, code)).rejects.toThrow('wait')
    expect(await verifySecondFactor(system, stranger(), token, code)).toMatchObject({
      kind: 'signed-in',
    })
  })

  test('an old code is told from a wrong one, with the time; a future one is not', async () => {
    const system = current()
    const { user, secret } = await withFactors(system)
    system.wait(minutes(5))
    const token = await openSignIn(system, user)
    const now = system.clock.now()
    const codeOf = (off: number) => totp(codeAt(secret, after(now, seconds(off))))
    expect(await verifySecondFactor(system, stranger(), token, codeOf(-120))).toEqual({
      kind: 'refused',
      attemptsLeft: 4,
      hint: 'clock',
      serverTime: now,
    })
    expect(await verifySecondFactor(system, stranger(), token, codeOf(120))).toEqual({
      kind: 'refused',
      attemptsLeft: 3,
      serverTime: now,
    })
  })

  test('a clock that goes wrong is remembered', async () => {
    const system = current()
    const { user, secret } = await withFactors(system)
    const come = async (off: number) => {
      const device = after(system.clock.now(), seconds(off))
      const token = await openSignIn(system, user)
      return await verifySecondFactor(system, stranger(), token, totp(codeAt(secret, device)))
    }
    system.wait(minutes(5))
    expect(await come(5)).toMatchObject({ kind: 'signed-in' })
    // Fifty seconds ahead, and no code was refused on the way.
    for (let off = 6; off <= 50; off += 1) {
      system.wait(seconds(60 - 1 - (off % 3)))
      expect(await come(off), `${off} seconds ahead`).toMatchObject({ kind: 'signed-in' })
    }
    const { drift_seconds } = await system.db
      .selectFrom('totp_factors')
      .select('drift_seconds')
      .executeTakeFirstOrThrow()
    expect(drift_seconds).toBeGreaterThan(20)
    expect(drift_seconds).toBeLessThanOrEqual(50)
  })

  test('no token, an unknown one, an old one, a suspended user: gone', async () => {
    const system = current()
    const { user, secret } = await withFactors(system)
    const code = totp(shown(system, secret))
    const unknown = tokenFrom(randomBytes(32))
    for (const token of [undefined, '', 'x', unknown])
      expect(await verifySecondFactor(system, stranger(), token, code)).toEqual({ kind: 'gone' })
    const old = await openSignIn(system, user)
    system.wait(minutes(10))
    expect(await verifySecondFactor(system, stranger(), old, totp(shown(system, secret)))).toEqual({
      kind: 'gone',
    })
    const token = await openSignIn(system, user)
    await system.db.transaction((trx) =>
      replaceUserState(trx, user.id, 'active', 'suspended', system.clock.now()),
    )
    expect(
      await verifySecondFactor(system, stranger(), token, totp(shown(system, secret))),
    ).toEqual({ kind: 'gone' })
  })

  test('second factor: a wrong code does not reveal which factors exist', async () => {
    const system = current()
    const [first, ...others] = await Promise.all([
      outcomesFor(system, await withFactors(system, await storedOffice(system.db, { number: 1 }))),
      outcomesFor(system, await aSignedInUser(system, { number: 2 })),
    ])
    for (const other of others) expect(other).toEqual(first)
  })

  test('assertion: anything malformed is refused', async () => {
    const system = current()
    const { user, from } = await withFactors(system)
    const token = await openSignIn(system, user)
    for (const response of [null, {}, { id: 'x', response: {} }, 'text'])
      expect(
        await verifySecondFactor(system, stranger(), token, { method: 'WEBAUTHN', response }),
      ).toMatchObject({ kind: 'refused' })
    expect((await recorded(system, from))[0]).toBe(
      'session.second-factor-refused refused {"attemptsLeft":4,"factor":"WEBAUTHN","reason":"unreadable"}',
    )
  })
})

onEachSystem('one code, twenty at once', (current) => {
  test('code of the app: twenty sign-ins open one session', async () => {
    const system = current()
    const { user, secret, from } = await withFactors(system)
    const tokens = await Promise.all(Array.from({ length: 20 }, () => openSignIn(system, user)))
    const code = totp(shown(system, secret))
    const sessions = await countSessions(system)
    const outcomes = await Promise.all(
      // Each from elsewhere, so that nothing but the code holds them back.
      tokens.map((token, index) => verifySecondFactor(system, elsewhere(index), token, code)),
    )
    expect(kinds(outcomes)).toEqual({ 'signed-in': 1, refused: 19 })
    for (const outcome of outcomes)
      if (outcome.kind === 'refused') expect(outcome.hint).toBe('replayed')
    expect(await countSessions(system)).toBe(sessions + 1)
    const log = await recorded(system, from)
    expect(log.filter((line) => line.startsWith('session.started'))).toHaveLength(1)
    expect(log.filter((line) => line.includes('"reason":"used-code"'))).toHaveLength(19)
    expect(log).toHaveLength(20)
  })

  test('code of the app: one sign-in opens one session', async () => {
    const system = current()
    const { user, secret } = await withFactors(system)
    const token = await openSignIn(system, user)
    const code = totp(shown(system, secret))
    const sessions = await countSessions(system)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        verifySecondFactor(system, elsewhere(index), token, code),
      ),
    )
    expect(kinds(outcomes)['signed-in']).toBe(1)
    expect(await countSessions(system)).toBe(sessions + 1)
  })

  test('backup code: twenty sign-ins open one session', async () => {
    const system = current()
    const { user, person, backupCodes, from } = await withFactors(system)
    const tokens = await Promise.all(Array.from({ length: 20 }, () => openSignIn(system, user)))
    const outcomes = await Promise.all(
      tokens.map((token, index) =>
        verifySecondFactor(system, elsewhere(index), token, backup(backupCodes[3])),
      ),
    )
    expect(kinds(outcomes)).toEqual({ 'signed-in': 1, refused: 19 })
    expect((await listFactors(system, person)).backupCodes).toMatchObject({ left: 9 })
    const log = await recorded(system, from)
    expect(log.filter((line) => line.startsWith('session.started'))).toEqual([
      'session.started success {"factor":"BACKUP_CODE","left":9,"method":"second-factor","number":4}',
    ])
    expect(log).toHaveLength(20)
  })

  test('guesses at once are all counted: twenty in one sign-in are five', async () => {
    const system = current()
    const { user, from } = await withFactors(system)
    const token = await openSignIn(system, user)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        verifySecondFactor(system, elsewhere(index), token, backup('0000-0000-0000')),
      ),
    )
    expect(kinds(outcomes)).toEqual({ refused: 4, gone: 16 })
    expect(await recorded(system, from)).toHaveLength(5)
  })
})

onEachSystem('guessing over many sign-ins', (current) => {
  test('throttle: a stranger with the password waits longer each time; the owner signs in', async () => {
    const system = current()
    const { user, secret, from } = await withFactors(system)
    const guess = async () =>
      await verifySecondFactor(system, elsewhere(1), await openSignIn(system, user), totp('000000'))
    for (let turn = 0; turn < 5; turn += 1) await guess()
    await expect(guess()).rejects.toMatchObject({
      code: 'too-many-attempts',
      retryAfter: seconds(30),
    })
    await expect(guess()).rejects.toMatchObject({ code: 'too-many-attempts' })
    system.wait(seconds(30))
    expect(await guess()).toMatchObject({ kind: 'refused' })
    await expect(guess()).rejects.toMatchObject({ retryAfter: minutes(1) })
    // One event a minute, so that the log is not flooded.
    const throttled = async () =>
      (await recorded(system, from)).filter((line) => line.startsWith('session.throttled'))
    const first = 'session.throttled refused {"limit":"network","step":"second-factor"}'
    expect(await throttled()).toEqual([first])
    system.wait(seconds(30))
    await logVainAttempts(system)
    expect((await throttled()).slice(1)).toEqual([expect.stringContaining('{"count":2,"first":')])
    expect(await alerts(system)).toContain('second-factor-failures warning')

    const owner = await verifySecondFactor(
      system,
      stranger(),
      await openSignIn(system, user),
      totp(shown(system, secret)),
    )
    expect(owner).toMatchObject({ kind: 'signed-in' })
  })

  test('from everywhere no more than twenty an hour', async () => {
    const system = current()
    const { user } = await withFactors(system)
    const guess = async (number: number) =>
      await verifySecondFactor(
        system,
        elsewhere(number),
        await openSignIn(system, user),
        totp('000000'),
      )
    for (let number = 0; number < 20; number += 1) await guess(number)
    await expect(guess(20)).rejects.toMatchObject({
      code: 'too-many-attempts',
      retryAfter: hours(1),
    })
  })
})

onEachSystem('an encrypted secret that cannot be decrypted', (current) => {
  test.each([
    ['moved here from another row', 'moved'],
    ['cut short', 'cut'],
    ['of another person by name', 'renamed'],
    ['whose key is lost', 'lost'],
  ])('%s: refused, told, and the other factors still work', async (_, how) => {
    const system = current()
    const victim = await withFactors(system)
    const thief = await withFactors(system, victim.office)
    const from = (await system.log()).length
    const before = (await alerts(system)).length
    await spoil(system, how, { victim: victim.user.id, thief: thief.user.id })
    const token = await openSignIn(system, victim.user)
    const code = totp(shown(system, thief.secret))
    for (let turn = 0; turn < 2; turn += 1)
      await expect(verifySecondFactor(system, stranger(), token, code)).rejects.toMatchObject({
        code: 'secret-unreadable',
      })
    const version = how === 'lost' ? 9 : 1
    expect(await recorded(system, from)).toEqual([
      `secret.unreadable refused {"keyVersion":${version}}`,
      `secret.unreadable refused {"keyVersion":${version}}`,
    ])
    expect((await alerts(system)).slice(before)).toEqual([
      'secret-unreadable danger (administrators)',
    ])
    expect(
      await verifySecondFactor(system, stranger(), token, backup(victim.backupCodes[0])),
    ).toMatchObject({ kind: 'signed-in' })
  })
})

async function spoil(system: TestSystem, how: string, ids: { victim: string; thief: string }) {
  await system.db.transaction(async (trx) => {
    const find = (id: string) =>
      trx.selectFrom('totp_factors').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
    const [victim, thief] = [await find(ids.victim), await find(ids.thief)]
    const set = (values: { sealed_secret?: Uint8Array; key_version?: number }) =>
      trx.updateTable('totp_factors').set(values).where('id', '=', victim.id).execute()
    if (how === 'moved') await set({ sealed_secret: thief.sealed_secret })
    if (how === 'cut') await set({ sealed_secret: victim.sealed_secret.subarray(0, -1) })
    if (how === 'lost') await set({ key_version: 9 })
    if (how === 'renamed') {
      await trx.deleteFrom('totp_factors').where('id', '=', victim.id).execute()
      await trx
        .updateTable('totp_factors')
        .set({ user_id: ids.victim })
        .where('id', '=', thief.id)
        .execute()
    }
  })
}

async function outcomesFor(system: TestSystem, { user }: { user: User }) {
  const token = await openSignIn(system, user)
  const outcomes = []
  for (const proof of [totp('000000'), backup('0000-0000-0000'), totp('x'), backup('x')])
    outcomes.push(await verifySecondFactor(system, elsewhere(1), token, proof))
  return outcomes.map((outcome) => ({ ...outcome, serverTime: 0 }))
}

async function countSessions(system: TestSystem): Promise<number> {
  return (await system.db.selectFrom('sessions').select('id').execute()).length
}
