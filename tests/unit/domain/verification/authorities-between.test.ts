import { beforeAll, expect, test } from 'vitest'
import { extendedKeyUsage } from '#server/demo/certificate-minting.ts'
import { mintOcspResponse, type Revocation } from '#server/demo/revocation-minting.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { before, days, hours, type Instant, after as later } from '#server/domain/time.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import {
  aPrivateAuthority,
  certificateUnder,
  type PrivateAuthority,
} from '#tests/support/authorities/private-authority.ts'
import { idOf } from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampOver, TIME_STAMPING } from '#tests/support/authorities/time-stamps.ts'
import { withDocumentStamp } from '#tests/support/pdf/long-term-pdfs.ts'
import { handSigned, sealOf, verdictAndReason, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

let root: PrivateAuthority
let between: PrivateAuthority
let signer: PrivateAuthority
let file: Uint8Array

beforeAll(async () => {
  root = await aPrivateAuthority('Raíz del Estado')
  between = await certificateUnder(root, {
    name: 'Emisora del Estado',
    isAuthority: true,
    ocsp: ['http://ocsp.example/'],
  })
  signer = await certificateUnder(between)
  const { certificate, key: keyPair } = signer
  const own = { ...(await testEfirma()), certificate, keyPair, cer: certificate.der }
  file = await handSigned({ seal: sealOf(own, [between.certificate.der]) })
}, 60_000)

const answer = (
  certificate: Certificate,
  by: PrivateAuthority,
  status: 'good' | Revocation = 'good',
  responder = by,
  at: Instant = TEST_NOW,
) => ({
  source: 'fetched' as const,
  der: mintOcspResponse({
    singles: [
      {
        id: idOf(certificate, by.certificate),
        status,
        thisUpdate: at,
        nextUpdate: later(at, hours(1)),
      },
    ],
    producedAt: at,
    responder: responder.certificate,
    responderKey: responder.key.privateKey,
    certificates: [responder.certificate],
  }),
})

type Answer = ReturnType<typeof answer>
type Demand = 'required' | 'when-available'

function judged(
  demand: Demand,
  ocsp: readonly Answer[],
  more: Partial<VerificationPolicy> = {},
  judgedFile = file,
) {
  const anchor = {
    certificate: root.certificate,
    label: 'Raíz',
    forTesting: false,
    revocation: demand,
  }
  const evidence = { ocsp, crls: [] }
  return verified(judgedFile, {
    anchors: [anchor],
    candidates: [],
    at: TEST_NOW,
    evidence,
    ...more,
  })
}

const aboutSigner = () => answer(signer.certificate, between)
const aboutBetween = (status?: Revocation) => answer(between.certificate, root, status)

const UNCHECKED = warning('authority-revocation-not-checked', { authority: 'Emisora del Estado' })

test('intermediate authority from the file: its revocation is checked if an answer is required', async () => {
  const alone = await judged('required', [aboutSigner()])
  expect(verdictAndReason(alone)).toEqual(['INDETERMINATE', 'TRY_LATER'])
  expect(alone.first.warnings[0]).toEqual(UNCHECKED)
  const both = await judged('required', [aboutSigner(), aboutBetween()])
  expect(verdictAndReason(both)).toEqual(['VALID', null])
  expect(codesOf(both.first.warnings)).toEqual(['certificate-not-efirma'])
})

test('intermediate authority without a revocation check: the report says so', async () => {
  const { verdict, first } = await judged('when-available', [aboutSigner()])
  expect(verdict).toBe('VALID')
  expect(first.warnings).toContainEqual(UNCHECKED)
})

test('imported intermediate authority: valid until an answer says that it is revoked', async () => {
  const brought = { candidates: [between.certificate] }
  const alone = await judged('required', [aboutSigner()], brought)
  expect(alone.verdict).toBe('VALID')
  const revoked = aboutBetween({ at: before(TEST_NOW, days(1)), reason: 2 })
  for (const demand of ['required', 'when-available'] as const) {
    const report = await judged(demand, [aboutSigner(), revoked], brought)
    expect(verdictAndReason(report)).toEqual(['INDETERMINATE', 'REVOKED_CA_NO_POE'])
    expect(report.headline.code).toBe('signed-authority-revoked')
    expect(report.first.warnings[0]?.code).toBe('authority-revoked')
  }
})

test('a responder that the office decided on answers for the authorities that were named', async () => {
  const responder = await certificateUnder(root, { name: 'Servicio del Estado' })
  const ocsp = [answer(signer.certificate, between, 'good', responder)]
  const status = async (authority: PrivateAuthority) => {
    const authorities = [sha256(authority.certificate.der)]
    const responders = [{ certificate: responder.certificate, authorities }]
    return (await judged('when-available', ocsp, { responders })).first.revocation.status
  }
  expect([await status(between), await status(root)]).toEqual(['good', 'unknown'])
})

test('timestamp: each certificate above it is judged by what is known now, else by what was known then', async () => {
  const stamping = await certificateUnder(between, {
    name: 'Sellos del Estado',
    extensions: [extendedKeyUsage([TIME_STAMPING], true)],
  })
  const by = { certificate: stamping.certificate, key: stamping.key.privateKey }
  const certificates = [stamping.certificate, between.certificate]
  const stamped = withDocumentStamp(file, (signed) =>
    stampOver(signed, { by, time: TEST_NOW, certificates }),
  )
  const now = later(TEST_NOW, days(90))
  const revoked = { at: later(TEST_NOW, days(30)), reason: 2 }
  const thenOfStamping = answer(stamping.certificate, between)
  const nowOfStamping = answer(stamping.certificate, between, 'good', between, now)
  const thenOfBetween = answer(between.certificate, root)
  const nowOfBetween = answer(between.certificate, root, revoked, root, now)
  const reasonWith = async (...ocsp: Answer[]) => {
    const evidence = { ocsp: [aboutSigner(), ...ocsp], crls: [] }
    const { first } = await judged('required', [], { at: now, evidence }, stamped)
    return first.timestamps[0]?.reason?.code ?? null
  }
  expect(await reasonWith(thenOfStamping, thenOfBetween)).toBeNull()
  expect(await reasonWith(nowOfStamping, thenOfBetween)).toBeNull()
  expect(await reasonWith(thenOfStamping, thenOfBetween, nowOfBetween)).toBe(
    'timestamp-authority-revoked',
  )
  expect(await reasonWith(nowOfBetween)).toBe('timestamp-authority-revoked')
})
