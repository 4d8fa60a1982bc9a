import { expect, test } from 'vitest'
import { CURRENT_ALGORITHMS } from '#server/domain/trust/algorithm-policy.ts'
import {
  type Circumstances,
  nothingKnown,
  revocationOf,
} from '#server/domain/verification/circumstances.ts'
import { ocspAnswer, revocationCast } from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

test('revocation: is judged once for all signatures of a file with one certificate and one time', async () => {
  const cast = await revocationCast()
  const circumstances: Circumstances = {
    policy: await testPolicy(),
    candidates: [],
    evidence: { ocsp: [ocspAnswer(cast)], crls: [] },
    known: nothingKnown(),
  }
  const ask = (one = circumstances) =>
    revocationOf(cast.leaf, [cast.issuing, cast.root], TEST_NOW, one)
  const first = ask()
  expect(first.status).toBe('good')
  expect(ask()).toBe(first)
  expect(ask({ ...circumstances, known: nothingKnown() })).not.toBe(first)
}, 60_000)

test('revocation: an answer counts only while its digest is good enough for the office', async () => {
  const cast = await revocationCast()
  const policy = await testPolicy()
  const statusWith = (algorithms: typeof CURRENT_ALGORITHMS | undefined) =>
    revocationOf(cast.leaf, [cast.issuing, cast.root], TEST_NOW, {
      policy: { ...policy, ...(algorithms && { algorithms }) },
      candidates: [],
      evidence: { ocsp: [ocspAnswer(cast)], crls: [] },
      known: nothingKnown(),
    }).status
  const { sha256: _, ...digests } = CURRENT_ALGORITHMS.digests
  expect(statusWith(undefined)).toBe('good')
  expect(statusWith(CURRENT_ALGORITHMS)).toBe('good')
  expect(statusWith({ ...CURRENT_ALGORITHMS, digests })).toBe('unknown')
}, 60_000)
