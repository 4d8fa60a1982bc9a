import { beforeAll, describe, expect, test } from 'vitest'
import { extendedKeyUsage } from '#server/demo/certificate-minting.ts'
import type { Efirma } from '#server/demo/certification-authority.ts'
import type { RevocationAnswer } from '#server/domain/revocation/revocation-values.ts'
import { days, after as later, minutes, parseInstant } from '#server/domain/time.ts'
import type { Warning } from '#server/domain/verification/codes/warning.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  type Stamping,
  type StampingAuthority,
  stampingAuthority,
  stampOver,
  TIME_STAMPING,
} from '#tests/support/authorities/time-stamps.ts'
import {
  answerAbout,
  sealWithStamps,
  withDocumentStamp,
  withValidationData,
} from '#tests/support/pdf/long-term-pdfs.ts'
import {
  handSigned,
  testPolicy,
  verdictAndReason,
  verified,
} from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* The e.firma is good until mid 2028, the authority for timestamps until mid 2030. */
const SIGNED = TEST_NOW
const day = (text: string) => parseInstant(text)

let efirma: Efirma
let authority: StampingAuthority
beforeAll(async () => {
  efirma = await testEfirma()
  authority = await stampingAuthority()
}, 60_000)

const stamp = (over: Uint8Array, changes: Partial<Stamping> = {}) =>
  stampOver(over, { by: authority, time: SIGNED, ...changes })

const stamped = (changes: Partial<Stamping> = {}) =>
  handSigned({ seal: sealWithStamps(efirma, (signature) => [stamp(signature, changes)]) })
const bare = () => handSigned({ seal: sealWithStamps(efirma, () => []) })

async function policyAt(at: string, changes: Partial<VerificationPolicy> = {}) {
  return { ...(await testPolicy({ at: day(at) })), ...changes }
}

const fetched = (...ders: Uint8Array[]) => ({
  ocsp: ders.map((der): RevocationAnswer => ({ der, source: 'fetched' })),
  crls: [],
})

const revokedOn = async (at: string, reason?: number) =>
  fetched(
    await answerAbout(efirma.certificate, day('2027-06-01'), {
      at: day(at),
      ...(reason !== undefined && { reason }),
    }),
  )

describe('a timestamp over the signature', () => {
  test('proves its time', async () => {
    const report = await verified(await stamped())
    expect(report.verdict).toBe('VALID')
    expect(report.first).toMatchObject({
      level: 'B-T',
      provenTime: '2026-11-20T15:00:00.000Z',
      timestamps: [
        {
          kind: 'signature',
          valid: true,
          trusted: true,
          time: '2026-11-20T15:00:00.000Z',
          authority: 'Autoridad de sellado de prueba',
          reason: null,
        },
      ],
    })
  })

  test('a certificate that expired later does not spoil it', async () => {
    const policy = await policyAt('2029-01-01')
    expect(verdictAndReason(await verified(await bare(), policy))).toEqual([
      'INDETERMINATE',
      'OUT_OF_BOUNDS_NO_POE',
    ])
    expect(verdictAndReason(await verified(await stamped(), policy))).toEqual(['VALID', null])
  })

  test.each<[string, string, boolean, string, string | null, Warning['code']]>([
    ['revoked later', '2027-02-01', true, 'VALID', null, 'revoked-after-proven-time'],
    ['revoked before', '2026-10-01', true, 'INVALID', 'REVOKED', 'revoked-before-proven-time'],
    [
      'revoked later, and nothing proves when',
      '2027-02-01',
      false,
      'INDETERMINATE',
      'REVOKED_NO_POE',
      'revoked-since-claimed-time',
    ],
    [
      'revoked before, and nothing proves when',
      '2026-10-01',
      false,
      'INDETERMINATE',
      'REVOKED_NO_POE',
      'revoked-before-claimed-time',
    ],
  ])('%s', async (_, revokedAt, hasStamp, verdict, reason, code) => {
    const policy = await policyAt('2027-07-01', { evidence: await revokedOn(revokedAt, 4) })
    const report = await verified(await (hasStamp ? stamped() : bare()), policy)
    expect(verdictAndReason(report)).toEqual([verdict, reason])
    expect(report.first.revocation).toMatchObject({
      status: verdict === 'VALID' ? 'good' : 'revoked',
      source: 'ocsp',
      revokedAt: `${revokedAt}T00:00:00.000Z`,
      reason: 'superseded',
    })
    expect(report.first.warnings[0]?.code).toBe(code)
  })

  test('before the certificate began, a signature cannot have been', async () => {
    const early = await stampingAuthority({ notBefore: day('2024-02-01') })
    const report = await verified(await stamped({ by: early, time: day('2024-03-01') }))
    expect(verdictAndReason(report)).toEqual(['INVALID', 'NOT_YET_VALID'])
  })

  test('unless clocks differ by as little as they do', async () => {
    const { notBefore } = efirma.certificate
    const time = later(notBefore as typeof SIGNED, minutes(-3))
    const early = await stampingAuthority({ notBefore: day('2024-02-01') })
    expect((await verified(await stamped({ by: early, time }))).verdict).toBe('VALID')
  })

  test('a claimed time later than the proven one is reported', async () => {
    const report = await verified(await stamped({ time: later(SIGNED, days(-2)) }))
    expect(report).toMatchObject({
      verdict: 'VALID',
      first: { provenTime: '2026-11-18T15:00:00.000Z' },
    })
    expect(codesOf(report.first.warnings)).toContain('claimed-time-after-proven-time')
  })
})

describe('a timestamp that is no proof is named, and the signature stands', () => {
  const outcome = async (file: Uint8Array, policy?: VerificationPolicy) => {
    const { verdict, first } = await verified(file, policy)
    expect(first).toMatchObject({ intact: true, valid: true, provenTime: null })
    return { verdict, level: first.level, ...first.timestamps.at(-1)! }
  }

  test('over something else', async () => {
    const file = await handSigned({
      seal: sealWithStamps(efirma, () => [stamp(Buffer.from('otra'))]),
    })
    expect(await outcome(file)).toMatchObject({
      verdict: 'VALID',
      level: 'B-B',
      valid: false,
      trusted: false,
      reason: { code: 'timestamp-imprint-differs' },
    })
  })

  test('unreadable', async () => {
    const seal = sealWithStamps(efirma, () => [Uint8Array.of(0x30, 0)])
    expect(await outcome(await handSigned({ seal }))).toMatchObject({
      verdict: 'VALID',
      valid: false,
      time: null,
      reason: { code: 'timestamp-unreadable' },
    })
  })

  test.each<[string, () => Promise<Partial<Stamping>>, boolean, Warning['code']]>([
    ['from the future', async () => ({ time: day('2027-01-01') }), true, 'timestamp-in-future'],
    [
      'without a certificate',
      async () => ({ certificates: [] }),
      false,
      'timestamp-certificate-missing',
    ],
    [
      'of a certificate that is not for timestamping',
      async () => ({
        by: await stampingAuthority({ extensions: [extendedKeyUsage([TIME_STAMPING])] }),
      }),
      false,
      'timestamp-not-for-time-stamping',
    ],
    [
      'before its authority began',
      async () => ({ time: day('2024-05-01') }),
      true,
      'timestamp-before-certificate',
    ],
  ])('%s', async (_, changes, valid, code) => {
    const found = await outcome(await stamped(await changes()))
    expect(found).toMatchObject({ verdict: 'VALID', valid, trusted: false })
    expect(found.reason?.code).toBe(code)
  })

  test('under an untrusted anchor', async () => {
    const file = await stamped()
    const policy = { ...(await testPolicy()), anchors: [] }
    expect(await outcome(file, policy)).toMatchObject({
      valid: true,
      trusted: false,
      level: 'B-T',
      reason: { code: 'timestamp-authority-unknown' },
    })
    const { first } = await verified(file, {
      ...policy,
      timestampAnchors: (await testPolicy()).anchors,
    })
    expect(first).toMatchObject({ trusted: false, timestamps: [{ trusted: true }] })
    expect(first.provenTime).not.toBeNull()
  })

  test('of an expired authority, unless a newer timestamp covers it', async () => {
    const policy = await policyAt('2031-01-01')
    expect(await outcome(await stamped(), policy)).toMatchObject({ trusted: false, valid: true })
    const young = await stampingAuthority({
      notBefore: day('2029-01-01'),
      notAfter: day('2033-01-01'),
    })
    const kept = withDocumentStamp(await stamped(), (signed) =>
      stamp(signed, { by: young, time: day('2029-06-01') }),
    )
    const report = await verified(kept, policy)
    expect(report).toMatchObject({
      verdict: 'VALID',
      first: {
        provenTime: '2026-11-20T15:00:00.000Z',
        modification: 'LTA_UPDATES',
        timestamps: [
          { kind: 'signature', trusted: true },
          { kind: 'document', trusted: true },
        ],
      },
    })
    expect(report.signatures[1]).toMatchObject({
      kind: 'document-timestamp',
      indication: 'TOTAL_PASSED',
      provenTime: '2029-06-01T00:00:00.000Z',
    })
    const late = withDocumentStamp(await stamped(), (signed) =>
      stamp(signed, { by: young, time: day('2030-08-01') }),
    )
    expect((await verified(late, policy)).first).toMatchObject({
      provenTime: '2030-08-01T00:00:00.000Z',
      subIndication: 'OUT_OF_BOUNDS_NO_POE',
    })
  })

  test('with a time later than the timestamp that covers it', async () => {
    const file = withDocumentStamp(await stamped(), (signed) =>
      stamp(signed, { time: day('2026-10-01') }),
    )
    const { first } = await verified(file)
    expect(first).toMatchObject({
      provenTime: '2026-10-01T00:00:00.000Z',
      timestamps: [
        { trusted: false, valid: true, reason: { code: 'timestamp-after-its-proof' } },
        { trusted: true },
      ],
    })
  })

  test.each<[string, number | undefined, Warning['code'] | null]>([
    ['whose authority lost its key', 1, 'timestamp-certificate-revoked'],
    ['whose authority was revoked without a reason', undefined, 'timestamp-certificate-revoked'],
    ['whose authority was replaced in order', 4, null],
  ])('%s', async (_, reason, code) => {
    const isProof = code === null
    const at = day('2027-02-01')
    const status = { at, ...(reason !== undefined && { reason }) }
    const evidence = fetched(await answerAbout(authority.certificate, day('2027-06-01'), status))
    const { first } = await verified(await stamped(), await policyAt('2027-07-01', { evidence }))
    expect(first.timestamps).toMatchObject([{ valid: true, trusted: isProof }])
    expect(first.timestamps[0]?.reason?.code ?? null).toBe(code)
    expect(first.provenTime === null).toBe(!isProof)
  })
})

describe('copies', () => {
  test('the same timestamp twice counts once', async () => {
    const seal = sealWithStamps(efirma, (signature) => {
      const token = stamp(signature, { certificates: [] })
      return [token, token]
    })
    const file = withValidationData(await handSigned({ seal }), {
      certificates: [authority.certificate],
    })
    expect((await verified(file)).first).toMatchObject({
      provenTime: '2026-11-20T15:00:00.000Z',
      timestamps: [
        { valid: true, trusted: true },
        { valid: true, trusted: false, reason: { code: 'timestamp-repeated' } },
      ],
    })
  })

  test('a document timestamp that was copied from an earlier revision', async () => {
    let token = new Uint8Array()
    const once = withDocumentStamp(
      await bare(),
      (signed) => (token = new Uint8Array(stamp(signed))),
    )
    const twice = withDocumentStamp(once, () => token)
    const { signatures, verdict } = await verified(twice)
    expect(verdict).toBe('VALID')
    expect(signatures[0]).toMatchObject({
      provenTime: '2026-11-20T15:00:00.000Z',
      timestamps: [{ valid: false, reason: { code: 'timestamp-copied' } }, { valid: true }],
    })
    expect(signatures[2]).toMatchObject({
      indication: 'TOTAL_FAILED',
      subIndication: 'HASH_FAILURE',
    })
  })
})
