import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { basicConstraints, keyUsage } from '#server/demo/certificate-minting.ts'
import { readDer } from '#server/domain/asn1/der.ts'
import { explicitContent, sequenceOf } from '#server/domain/asn1/der-values.ts'
import {
  explicit,
  octetString,
  oid,
  retagged,
  sequence,
  setOfElements,
} from '#server/domain/asn1/der-writer.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { before, days, hours, after as later } from '#server/domain/time.ts'
import { judgeConstancia } from '#server/domain/verification/time/judge-constancia.ts'
import type { VerificationPolicy } from '#server/domain/verification/verification-policy.ts'
import { mintCertificateList } from '#tests/support/authorities/certificate-lists.ts'
import { serialOf } from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW, testAnchor, testAuthority } from '#tests/support/authorities/test-authority.ts'
import {
  type Stamping,
  type StampingAuthority,
  stampingAuthority,
  stampOver,
  TEST_POLICY,
} from '#tests/support/authorities/time-stamps.ts'
import { answerAbout } from '#tests/support/pdf/long-term-pdfs.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

const DEED = Buffer.from('Escritura 12,345')
const DIGEST = createHash('sha256').update(DEED).digest()
const SHA512 = '2.16.840.1.101.3.4.2.3'

let provider: StampingAuthority
let policy: VerificationPolicy
beforeAll(async () => {
  const extensions = [basicConstraints({ isAuthority: false }), keyUsage(0xc0, 6, true)]
  provider = await stampingAuthority({ name: 'PSC de prueba', extensions })
  const { issuing } = await testAuthority()
  const issuer = { name: 'Prestador de prueba', policies: [TEST_POLICY], certificates: [] }
  policy = {
    ...(await testPolicy()),
    anchors: [],
    constancias: {
      anchors: [{ ...(await testAnchor()), certificate: issuing }],
      issuers: [{ ...issuer, environment: 'production' }],
    },
  }
}, 60_000)

const constancia = (changes: Partial<Stamping> = {}) =>
  stampOver(DEED, { by: provider, time: TEST_NOW, ...changes })
const judged = (bytes: Uint8Array, digest: Uint8Array = DIGEST) =>
  judgeConstancia(bytes, digest, policy)

/** The token with lists of revoked certificates beside its certificates. */
function withLists(token: Uint8Array, ...lists: Uint8Array[]): Uint8Array {
  const [type, wrapped] = sequenceOf(readDer(token))
  const parts = sequenceOf(explicitContent(wrapped!)).map(({ bytes }) => bytes)
  const [signers] = parts.splice(-1)
  const brought = retagged(0xa1, setOfElements(...lists))
  return sequence(type!.bytes, explicit(0, sequence(...parts, brought, signers!)))
}

/** An answer as a list of another kind. @see RFC 5940, 2.1 */
const ocspBeside = (answer: Uint8Array) =>
  retagged(0xa1, sequence(oid('1.3.6.1.5.5.7.16.2'), answer))

test('constancia: a list that it brings counts against it', async () => {
  const { issuing, issuingKey } = await testAuthority()
  const listWith = (...entries: { serial: Uint8Array; at: typeof TEST_NOW }[]) =>
    mintCertificateList({
      issuer: issuing,
      issuerKey: issuingKey.privateKey,
      thisUpdate: TEST_NOW,
      nextUpdate: later(TEST_NOW, hours(1)),
      entries,
    })
  const serial = serialOf(provider.certificate)
  const revoked = listWith({ serial, at: before(TEST_NOW, days(9)) })
  expect(judged(withLists(constancia(), listWith()))).toMatchObject({
    verdict: 'VALID',
    revocation: { status: 'good' },
  })
  expect(judged(withLists(constancia(), revoked))).toMatchObject({
    verdict: 'INDETERMINATE',
    subIndication: 'REVOKED_NO_POE',
    revocation: { status: 'revoked' },
  })
})

test('constancia: authorities between its provider and the root may come with it', async () => {
  const { issuing, root } = await testAuthority()
  const brought = constancia({ certificates: [provider.certificate, issuing] })
  const { anchors, issuers } = policy.constancias!
  const above: VerificationPolicy = {
    ...policy,
    candidates: [],
    constancias: {
      anchors: anchors.map((anchor) => ({ ...anchor, certificate: root })),
      issuers: issuers.map((one) => ({ ...one, certificates: [sha256(provider.certificate.der)] })),
    },
  }
  const trusted = (bytes: Uint8Array) => judgeConstancia(bytes, DIGEST, above).trusted
  expect([trusted(brought), trusted(constancia())]).toEqual([true, false])
})

test('constancia: that it names another certificate is said only of one that does', () => {
  const codes = (bytes: Uint8Array) => codesOf(judged(bytes).warnings)
  const remark = 'constancia-certificate-not-bound'
  expect(codes(constancia())).not.toContain(remark)
  expect(codes(constancia({ certificateHash: DIGEST }))).toContain(remark)
  // What it proves is in question: nothing is accepted with a remark.
  const ofOther = judged(constancia({ certificateHash: DIGEST }), DIGEST.toReversed())
  expect(ofOther).toMatchObject({ verdict: 'INVALID', valid: false })
  expect(codesOf(ofOther.warnings)).not.toContain(remark)
})

test('constancia: with a digest that is not compared it is neither good nor bad', () => {
  const imprintOf = (bytes: Uint8Array) =>
    sequence(sequence(oid(SHA512)), octetString(createHash('sha512').update(bytes).digest()))
  for (const bytes of [DEED, Buffer.from('otra')])
    expect(judged(constancia({ imprint: imprintOf(bytes) }))).toMatchObject({
      verdict: 'INDETERMINATE',
      headline: { code: 'constancia-digest-unsupported' },
    })
})

test('constancia: what it brings about its certificate counts, and what the office has', async () => {
  const good = await answerAbout(provider.certificate, TEST_NOW)
  const { issuing, issuingKey } = await testAuthority()
  const crl = mintCertificateList({
    issuer: issuing,
    issuerKey: issuingKey.privateKey,
    thisUpdate: TEST_NOW,
    nextUpdate: later(TEST_NOW, hours(1)),
  })
  const statusOf = (bytes: Uint8Array, evidence: VerificationPolicy['evidence']) =>
    judgeConstancia(bytes, DIGEST, { ...policy, ...(evidence && { evidence }) }).revocation
  const fetched = (der: Uint8Array) => ({ der, source: 'fetched' as const })
  expect(statusOf(constancia(), undefined)).toMatchObject({ status: 'unknown' })
  const kept = [
    { ocsp: [fetched(good)], crls: [] },
    { ocsp: [], crls: [fetched(crl)] },
  ]
  for (const evidence of kept)
    expect(statusOf(constancia(), evidence)).toMatchObject({ status: 'good' })
  expect(statusOf(withLists(constancia(), ocspBeside(good)), undefined)).toMatchObject({
    status: 'good',
  })
})

test('constancia: what is none says nothing good about anything', () => {
  expect(judged(Buffer.from('nada'))).toEqual({
    ...{ kind: 'none', verdict: 'NOT_A_CONSTANCIA', subIndication: 'FORMAT_FAILURE' },
    headline: { code: 'constancia-unreadable', parameters: {} },
    ...{ matches: false, valid: false, trusted: false, forTesting: false, vouched: false },
    ...{ time: null, authority: null, policy: null, serialNumber: null, revocation: null },
    warnings: [],
  })
})
