import { expect, test } from 'vitest'
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
