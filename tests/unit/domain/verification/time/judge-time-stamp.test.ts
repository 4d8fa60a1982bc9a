import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import {
  before,
  days,
  type Instant,
  after as later,
  minutes,
  parseInstant,
} from '#server/domain/time.ts'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import { verifyTimeStamp } from '#server/domain/timestamp/verify-time-stamp.ts'
import { type AlgorithmPolicy, CURRENT_ALGORITHMS } from '#server/domain/trust/algorithm-policy.ts'
import { nothingKnown } from '#server/domain/verification/circumstances.ts'
import { judgeTimeStamp } from '#server/domain/verification/time/judge-time-stamp.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import {
  type Stamping,
  type StampingAuthority,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import { answerAbout } from '#tests/support/pdf/long-term-pdfs.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

const DEED = Buffer.from('Escritura 12,345')
const DIGEST = createHash('sha256').update(DEED).digest()

let by: StampingAuthority
beforeAll(async () => {
  by = await stampingAuthority()
}, 60_000)

type Question = {
  time?: Instant
  at?: Instant
  provenAt?: Instant
  answers?: Uint8Array[]
  algorithms?: AlgorithmPolicy
  stamping?: Partial<Stamping>
}

async function judged({
  time = TEST_NOW,
  at = TEST_NOW,
  provenAt,
  answers = [],
  algorithms = CURRENT_ALGORITHMS,
  stamping,
}: Question) {
  const response = readTimeStampResponse(stampOver(DEED, { by, time, ...stamping }))
  if (response.kind === 'refused') throw new Error('the timestamp was refused')
  const facts = verifyTimeStamp(response.token, () => DIGEST)
  return judgeTimeStamp(response.token, facts, {
    kind: 'document',
    provenAt,
    circumstances: {
      policy: { ...(await testPolicy({ at })), algorithms },
      candidates: (await testPolicy()).candidates,
      evidence: { ocsp: answers.map((der) => ({ der, source: 'fetched' })), crls: [] },
      known: nothingKnown(),
    },
  })
}

test('timestamp: its time may be as far ahead of the clock as clocks differ, and no farther', async () => {
  expect(await judged({ time: later(TEST_NOW, minutes(5)) })).toMatchObject({ isProof: true })
  const ahead = await judged({ time: later(TEST_NOW, minutes(6)) })
  expect(ahead).toMatchObject({ isProof: false, reason: { code: 'timestamp-in-future' } })
  const at = later(TEST_NOW, days(9))
  const time = later(TEST_NOW, minutes(6))
  expect(await judged({ at, time, provenAt: time })).toMatchObject({ isProof: true })
  expect(await judged({ at, time, provenAt: TEST_NOW })).toMatchObject({
    isProof: false,
    reason: { code: 'timestamp-after-its-proof' },
  })
})

test('timestamp: once its authority has expired it is no proof any more, and that is why', async () => {
  const ended = await judged({ at: parseInstant('2031-01-01') })
  expect(ended).toMatchObject({
    isProof: false,
    reason: {
      code: 'timestamp-certificate-expired',
      parameters: { notAfter: '2030-06-01T00:00:00.000Z' },
    },
    trust: { trusted: false, subIndication: 'OUT_OF_BOUNDS_NO_POE' },
  })
  expect(codesOf(ended.trust.warnings)).toEqual(['timestamp-certificate-expired'])
})

test.each<[string, 'before' | 'after', number, boolean]>([
  ['after the timestamp, in order', 'after', 4, true],
  ['after the timestamp, for no reason that is told', 'after', 0, true],
  ['after the timestamp, because it was renamed', 'after', 3, true],
  ['after the timestamp, because it ended', 'after', 5, true],
  ['after the timestamp, because its key was stolen', 'after', 1, false],
  ['before the timestamp, in order', 'before', 4, false],
  ['before the timestamp, because its key was stolen', 'before', 1, false],
])('timestamp: its authority was revoked %s', async (_, when, reason, isProof) => {
  const shift = when === 'after' ? later : before
  const status = { at: shift(TEST_NOW, days(30)), reason }
  const answers = [await answerAbout(by.certificate, later(TEST_NOW, days(60)), status)]
  const found = await judged({ at: later(TEST_NOW, days(60)), answers })
  expect(found.isProof).toBe(isProof)
  expect(found.reason?.code ?? null).toBe(isProof ? null : 'timestamp-certificate-revoked')
})

test.each<[string, number | undefined, number | undefined, boolean]>([
  ['it was replaced, then its key was stolen', 4, 1, false],
  ['its key was stolen, then no particular reason is given', 1, 0, false],
  ['its key was stolen, then no reason is given', 1, undefined, false],
  ['it was replaced, then no reason is given', 4, undefined, true],
  ['it was replaced', 4, 4, true],
])('timestamp: an authority with two answers, %s', async (_, first, second, isProof) => {
  const at = later(TEST_NOW, days(30))
  const answer = (wait: number, reason: number | undefined) =>
    answerAbout(by.certificate, later(TEST_NOW, days(wait)), {
      at,
      ...(reason !== undefined && { reason }),
    })
  for (const [older, newer] of [
    [first, second],
    [second, first],
  ]) {
    const answers = [await answer(40, older), await answer(60, newer)]
    const found = await judged({ at: later(TEST_NOW, days(60)), answers })
    expect(found.isProof).toBe(isProof)
  }
})

test('timestamp: an authority that was not revoked is no reason for doubt', async () => {
  const answers = [await answerAbout(by.certificate, TEST_NOW)]
  expect(await judged({ answers })).toMatchObject({
    isProof: true,
    reason: null,
    trust: { warnings: [], revocation: { status: 'good' } },
  })
})

test('timestamp: an authority of which no answer was found is trusted, and that is said', async () => {
  const { isProof, trust } = await judged({})
  expect(isProof).toBe(true)
  expect(codesOf(trust.warnings)).toEqual(['timestamp-revocation-not-checked'])
})

test('timestamp: with an algorithm that has become weak it is of a trusted authority, and no proof', async () => {
  const digests = { ...CURRENT_ALGORITHMS.digests, sha256: before(TEST_NOW, days(1)) }
  const weak = await judged({ algorithms: { ...CURRENT_ALGORITHMS, digests } })
  expect(weak).toMatchObject({
    isProof: false,
    reason: { code: 'timestamp-algorithm-weak' },
    trust: { trusted: true, subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' },
  })
})
