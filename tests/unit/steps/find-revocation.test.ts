import { expect, test } from 'vitest'
import type { SignersRevocation } from '#server/domain/signing/signers-revocation.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { findRevocation } from '#server/steps/signing/find-revocation.ts'
import type { System } from '#server/system.ts'
import { MORNING } from '#tests/support/builders.ts'

const certificate = (byte: number) => ({ der: Uint8Array.of(byte) }) as Certificate
const [SIGNER, ISSUER, ANCHOR] = [certificate(1), certificate(2), certificate(3)]
const POLICY = { at: MORNING } as VerificationPolicy
const EVIDENCE = { ocsp: [], crls: [Uint8Array.of(9)] }

/** A system whose authority answers this, and which notes what it is asked. */
function answering(answer: SignersRevocation, evidence: object = EVIDENCE) {
  const asked: unknown[] = []
  const system = {
    revocation: {
      answersAbout: async (about: Uint8Array[]) => {
        asked.push(about)
        return evidence
      },
    },
    pdf: {
      signersRevocation: async (...given: unknown[]) => {
        asked.push(...given)
        return answer
      },
    },
  } as unknown as Pick<System, 'revocation' | 'pdf'>
  return { system, asked }
}

test('revocation: the answers about the certificate are judged under its issuer', async () => {
  const { system, asked } = answering({ status: 'revoked', revokedAt: MORNING })
  expect(await findRevocation(system, [SIGNER, ISSUER, ANCHOR], POLICY)).toBe(MORNING)
  expect(asked).toEqual([[SIGNER.der], [SIGNER.der, ISSUER.der], { ...POLICY, evidence: EVIDENCE }])
})

test.each(['good', 'unknown'] as const)('revocation: none if the answer is %s', async (status) => {
  const { system } = answering({ status })
  expect(await findRevocation(system, [SIGNER, ISSUER], POLICY)).toBeNull()
})

test.each([
  ['without a certificate', []],
  ['that ends with the signer', [SIGNER]],
])('revocation on a path %s: none, and no authority is asked', async (_, path) => {
  const { system, asked } = answering({ status: 'revoked', revokedAt: MORNING })
  expect(await findRevocation(system, path, POLICY)).toBeNull()
  expect(asked).toEqual([])
})

test('revocation: none without an answer, and no thread judges that', async () => {
  const revoked = { status: 'revoked', revokedAt: MORNING } as const
  const { system, asked } = answering(revoked, { ocsp: [], crls: [] })
  expect(await findRevocation(system, [SIGNER, ISSUER], POLICY)).toBeNull()
  expect(asked).toEqual([[SIGNER.der]])
})

test('revocation: a single answer of a responder is judged', async () => {
  const revoked = { status: 'revoked', revokedAt: MORNING } as const
  const { system } = answering(revoked, { ocsp: [Uint8Array.of(9)], crls: [] })
  expect(await findRevocation(system, [SIGNER, ISSUER], POLICY)).toBe(MORNING)
})

test('revocation: an answer of a responder and a list are judged together', async () => {
  const revoked = { status: 'revoked', revokedAt: MORNING } as const
  const evidence = { ocsp: [Uint8Array.of(8)], crls: [Uint8Array.of(9)] }
  const { system } = answering(revoked, evidence)
  expect(await findRevocation(system, [SIGNER, ISSUER], POLICY)).toBe(MORNING)
})
