import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { parseInstant } from '#server/domain/time.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  type HandSigned,
  handSigned,
  sealOf,
  testPolicy,
  verdictAndReason,
  verified,
} from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const signed = (options: Partial<HandSigned> = {}) =>
  handSigned({ seal: sealOf(efirma), ...options })

describe('trust at a time', () => {
  const day = (text: string) => parseInstant(text)

  test.each([
    [
      'revocation unknown where it is required',
      {},
      { revocation: 'required' as const },
      'TRY_LATER',
      true,
      'revocation-unknown',
    ],
    [
      'expired since',
      {},
      { at: day('2029-01-01') },
      'OUT_OF_BOUNDS_NO_POE',
      true,
      'certificate-expired-since-claimed-time',
    ],
    [
      'expired, and no time is claimed',
      { time: '' },
      { at: day('2029-01-01') },
      'OUT_OF_BOUNDS_NO_POE',
      false,
      'certificate-expired',
    ],
    [
      'not yet valid when we are asked',
      {},
      { at: day('2024-03-01') },
      'OUT_OF_BOUNDS_NO_POE',
      false,
      'certificate-not-yet-valid',
    ],
    [
      'claimed before it was valid',
      { time: 'D:20240301000000Z' },
      {},
      'OUT_OF_BOUNDS_NO_POE',
      false,
      'certificate-invalid-at-claimed-time',
    ],
    [
      'claimed after it expired',
      { time: 'D:20300301000000Z' },
      {},
      'OUT_OF_BOUNDS_NO_POE',
      false,
      'certificate-invalid-at-claimed-time',
    ],
  ])('%s', async (_, options, policy, reason, isTrusted, code) => {
    const report = await verified(await signed(options), await testPolicy(policy))
    expect(verdictAndReason(report)).toEqual(['INDETERMINATE', reason])
    expect(report.first).toMatchObject({ intact: true, valid: true, trusted: isTrusted })
    expect(report.first.warnings[0]?.code).toBe(code)
  })

  test('a certificate that is not yet valid is not said to have expired', async () => {
    const report = await verified(await signed(), await testPolicy({ at: day('2024-03-01') }))
    expect(report.first.warnings[0]).toMatchObject({
      code: 'certificate-not-yet-valid',
      parameters: { notBefore: expect.stringMatching(/^2024-0[56]/) },
    })
  })

  test('a time in the future is said', async () => {
    const report = await verified(await signed({ time: 'D:20261121150000Z' }))
    expect(codesOf(report.first.warnings)).toContain('claimed-time-in-future')
  })

  test('no path', async () => {
    const policy = { ...(await testPolicy()), anchors: [] }
    const report = await verified(await signed(), policy)
    expect(verdictAndReason(report)).toEqual(['INDETERMINATE', 'NO_CERTIFICATE_CHAIN_FOUND'])
    expect(report.first).toMatchObject({ intact: true, valid: true, trusted: false })
  })

  test('a CSD is no e.firma', async () => {
    const csd = await testEfirma({ kind: 'csd', branch: 'Matriz' })
    const report = await verified(await signed({ seal: sealOf(csd) }))
    expect(verdictAndReason(report)).toEqual(['INDETERMINATE', 'SIG_CONSTRAINTS_FAILURE'])
    expect(report.first.warnings[0]?.code).toBe('certificate-for-seals')
  })
})
