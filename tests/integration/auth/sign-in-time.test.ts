import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { createPasswords } from '#server/adapters/passwords.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import type { System } from '#server/system.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const ROUNDS = 3
const SAMPLES = 20
const DEALS = 1_000
/** The smallest difference that an attacker over a network could measure. */
const SAME_MS = 5

const PASSWORD = 'caballo correcto batería'

/* Each sample has its own network address, so that throttling refuses none of them. */
let networks = 0
const network = () => `2001:db8:${(networks++).toString(16)}::1`

async function timeOf(system: System, email: string): Promise<number> {
  const input = SignIn.parse({ email, password: 'caballo incorrecto batería' })
  const from = stranger({ ip: network(), browser: null })
  const start = performance.now()
  const outcome = await signIn(system, from, input)
  const time = performance.now() - start
  expect(outcome).toEqual({ kind: 'refused' })
  return time
}

/** Interleaved samples in changing order, so that other load affects all alike. */
async function timesOf(system: System, emails: readonly string[]): Promise<number[][]> {
  const times = emails.map((): number[] => [])
  for (let sample = 0; sample < SAMPLES; sample++)
    for (let turn = 0; turn < emails.length; turn++) {
      const which = (sample + turn) % emails.length
      times[which]?.push(await timeOf(system, emails[which] ?? ''))
    }
  return times
}

/** Noise only adds time, so the faster half is more accurate. */
function quartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 2] ?? 0
}

const gapOf = (one: readonly number[], other: readonly number[]) =>
  Math.abs(quartile(one) - quartile(other))

/**
 * How often chance alone makes a gap as large: the two lists are shuffled and dealt again. Nothing is assumed
 * about how times are distributed.
 */
function chanceOf(one: readonly number[], other: readonly number[]): number {
  const gap = gapOf(one, other)
  const all = [...one, ...other]
  let asLarge = 0
  for (let deal = 0; deal < DEALS; deal++) {
    for (let i = all.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1))
      ;[all[i], all[j]] = [all[j] ?? 0, all[i] ?? 0]
    }
    if (gapOf(all.slice(0, one.length), all.slice(one.length)) >= gap) asLarge += 1
  }
  return asLarge / DEALS
}

/** Whether an attacker with these times could tell the two apart. */
const isToldApart = (one: readonly number[], other: readonly number[]) =>
  gapOf(one, other) >= SAME_MS && chanceOf(one, other) < 0.01

/* A busy machine may spoil a round; a difference that is there is there in most of them. */
async function roundsToldApart(system: System, emails: readonly string[]): Promise<number> {
  let recorded = 0
  for (let round = 0; round < ROUNDS; round++) {
    const [first = [], ...others] = await timesOf(system, emails)
    if (others.some((times) => isToldApart(first, times))) recorded += 1
    // Once the answer is known no more time is taken.
    if (recorded > ROUNDS / 2 || round + 1 - recorded > ROUNDS / 2) break
  }
  return recorded
}

onEachSystem('time of a refusal', (current) => {
  test('does not reveal whether an account exists, is invited or is suspended', async () => {
    // At the real cost: a cheap hash would hide nothing, and show nothing.
    const passwords = await createPasswords()
    const system = { ...current(), passwords }
    const office = await storedOffice(system.db)
    const hash = await passwords.hash(PASSWORD)
    const emails = ['activa', 'invitada', 'suspendida', 'nadie'].map((x) => `${x}@notaria.example`)
    const [active, invited, suspended] = emails
    const states = [
      [active, 'active', hash],
      [invited, 'invited', null],
      [suspended, 'suspended', hash],
    ] as const
    for (const [email, state, stored] of states)
      await storedUser(system.db, office, ['CLERK'], { email, state }, stored)
    expect(await roundsToldApart(system, emails)).toBeLessThan(ROUNDS / 2)
  }, 120_000)

  test('and this would show it: an answer without a hash is told apart', async () => {
    const passwords = await createPasswords()
    const leaking = {
      ...passwords,
      verify: async (stored: string | undefined, password: string) =>
        stored !== undefined && (await passwords.verify(stored, password)),
    }
    const system = { ...current(), passwords: leaking }
    const office = await storedOffice(system.db)
    const email = 'activa@notaria.example'
    await storedUser(system.db, office, ['CLERK'], { email }, await passwords.hash(PASSWORD))
    const emails = [email, 'nadie@notaria.example']
    expect(await roundsToldApart(system, emails)).toBeGreaterThan(ROUNDS / 2)
  }, 120_000)
})
