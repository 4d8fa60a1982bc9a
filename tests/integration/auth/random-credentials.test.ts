import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createPdfWork } from '#server/adapters/pdf-work.ts'
import { insertActivation } from '#server/db/people/activations.ts'
import { readAccessToken } from '#server/domain/identity/access-token.ts'
import { completeFirstFactor } from '#server/features/auth/complete-first-factor.ts'
import { createAccessToken } from '#server/features/auth/create-access-token.ts'
import { openSigningLink } from '#server/features/guests/open-signing-link.ts'
import { startSession } from '#server/steps/sign-ins/start-session.ts'
import { MORNING, stranger } from '#tests/support/builders.ts'
import { emptyDatabase } from '#tests/support/database.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
import { aGuestInvitation, aLink } from '#tests/support/office/guests.ts'
import { aMember } from '#tests/support/office/office-staff.ts'
import { anAccount } from '#tests/support/office/sessions.ts'
import { testTrust } from '#tests/support/office/signing-system.ts'
import { type TestSystem, testSystem } from '#tests/support/test-system.ts'

const DRAWS = 1_000

/** base64url, 43 characters. */
const TOKEN_BITS = 256
/** Crockford's base 32, 26 characters. */
const CODE_BITS = 130

function bitsOfToken(token: string): number[] {
  expect(token).toMatch(/^[\w-]{43}$/)
  const bytes = Buffer.from(token, 'base64url')
  expect(bytes.toString('base64url')).toBe(token)
  return [...bytes].flatMap((byte) => bitsOf(byte, 8))
}

function bitsOfCode(code: string): number[] {
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  return [...code].flatMap((letter) =>
    bitsOf('0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(letter), 5),
  )
}

const bitsOf = (value: number, count: number) =>
  Array.from({ length: count }, (_, bit) => (value >> bit) & 1)

/**
 * All are different, and each bit is one in about half of them: six standard deviations of 1,000 tosses of a coin are 95.
 * A counter, a time or an id among the bits would stand out.
 */
function mustBeRandom(
  credentials: readonly string[],
  bitsIn: (text: string) => number[],
  bits: number,
) {
  expect(credentials).toHaveLength(DRAWS)
  expect(new Set(credentials).size).toBe(DRAWS)
  const ones = Array<number>(bits).fill(0)
  for (const credential of credentials) {
    const drawn = bitsIn(credential)
    expect(drawn).toHaveLength(bits)
    drawn.forEach((bit, at) => {
      ones[at] = (ones[at] ?? 0) + bit
    })
  }
  const odd = ones.filter((count) => Math.abs(count - DRAWS / 2) > 95)
  expect(odd).toEqual([])
}

async function draw(make: (turn: number) => Promise<string>): Promise<string[]> {
  const drawn: string[] = []
  for (let turn = 0; turn < DRAWS; turn += 1) drawn.push(await make(turn))
  return drawn
}

/* What is drawn does not depend on the database. */
const pdf = createPdfWork({ threads: 1 })
afterAll(() => pdf.close())
let current: TestSystem | undefined
beforeEach(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-credentials-'))
  const { db, end } = await emptyDatabase('sqlite')
  current = await testSystem(db, folder, { pdf, trust: testTrust })
  onTestFinished(async () => {
    await end()
    rmSync(folder, { recursive: true })
  })
})

function system(): TestSystem {
  if (!current) throw new Error('there is a system only while a test runs')
  return current
}

describe('credentials', () => {
  test('session and refresh tokens: 1,000 are random and different, 256 bits', async () => {
    const { user, office } = await anAccount(system())
    const { tokenKey } = system().settings
    const start = { user, office, actor: stranger(), at: MORNING, tokenKey, secondFactor: null }
    const refresh: string[] = []
    const access = await draw(async () => {
      const { tokens } = await system().db.transaction((trx) => startSession(trx, start))
      refresh.push(tokens.refresh)
      return tokens.access
    })
    mustBeRandom(access, bitsOfToken, TOKEN_BITS)
    mustBeRandom(refresh, bitsOfToken, TOKEN_BITS)
    expect(new Set([...access, ...refresh]).size).toBe(2 * DRAWS)
  }, 120_000)

  test('tokens of pending sign-ins: 1,000 are random and different, 256 bits', async () => {
    const { user, office } = await anAccount(system())
    await withTotp(system(), user)
    const { tokenKey } = system().settings
    const first = {
      user,
      office,
      actor: stranger(),
      at: MORNING,
      tokenKey,
      by: 'password',
    } as const
    const drawn = await draw(async () => {
      const outcome = await system().db.transaction((trx) => completeFirstFactor(trx, first))
      if (outcome.kind !== 'second-factor-next') throw new Error(outcome.kind)
      return outcome.token
    })
    mustBeRandom(drawn, bitsOfToken, TOKEN_BITS)
  }, 120_000)

  test('codes of activation links: 1,000 are random and different, 130 bits', async () => {
    const { user } = await anAccount(system())
    const activation = { userId: user.id, purpose: 'activation', by: null, at: MORNING } as const
    const drawn = await draw(
      async () => (await system().db.transaction((trx) => insertActivation(trx, activation))).code,
    )
    mustBeRandom(drawn, bitsOfCode, CODE_BITS)
  }, 120_000)

  test('codes of signing links, and tokens of their guests: 1,000 are random and different', async () => {
    const scene = await aGuestInvitation(system())
    const codes: string[] = []
    const tokens = await draw(async (turn) => {
      const code = await aLink(system(), scene)
      codes.push(code)
      const from = stranger({ ip: `2001:db8:${turn.toString(16)}::1` })
      const opened = await openSigningLink(system(), from, { code, held: undefined })
      if (opened.kind !== 'opened') throw new Error(opened.kind)
      return opened.token
    })
    mustBeRandom(codes, bitsOfCode, CODE_BITS)
    mustBeRandom(tokens, bitsOfToken, TOKEN_BITS)
  }, 240_000)

  test('access tokens of programs: 1,000 are random and different, 256 bits', async () => {
    const { office } = await anAccount(system())
    let { person } = await aMember(system(), office)
    const drawn = await draw(async (turn) => {
      // A user has 20 at once.
      if (turn % 20 === 0) person = (await aMember(system(), office)).person
      const made = await createAccessToken(system(), person, { name: 'Programa', days: 30 })
      return readAccessToken(made.text) ?? ''
    })
    mustBeRandom(drawn, bitsOfToken, TOKEN_BITS)
  }, 120_000)
})
