import { beforeAll, expect, test } from 'vitest'
import {
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  nameOf,
} from '#server/demo/certificate-minting.ts'
import { type Efirma, newKeyPair } from '#server/demo/certification-authority.ts'
import { utf8String } from '#server/domain/asn1/der-writer.ts'
import { before, days, type Instant, after as later, minutes } from '#server/domain/time.ts'
import { type Circumstances, nothingKnown } from '#server/domain/verification/circumstances.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import { isNameVouchedFor, judgeTrust } from '#server/domain/verification/judge-trust.ts'
import type { VerificationPolicy } from '#server/domain/verification/verification-policy.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { mintAuthority, revocationCast } from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { answerAbout } from '#tests/support/pdf/long-term-pdfs.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

let efirma: Efirma
let policy: VerificationPolicy
beforeAll(async () => {
  efirma = await testEfirma()
  policy = await testPolicy()
}, 60_000)

const circumstances = (changes: Partial<VerificationPolicy> = {}): Circumstances => ({
  policy: { ...policy, ...changes },
  candidates: policy.candidates,
  evidence: { ocsp: [], crls: [] },
  known: nothingKnown(),
})

type Times = { claimed?: Instant; proven?: Instant }
const judged = ({ claimed, proven }: Times, signer = efirma.certificate) =>
  judgeTrust(signer, { claimed, proven }, circumstances())

test('trust: a time that is claimed outside of the life of the certificate takes it away', () => {
  const { notBefore, notAfter } = efirma.certificate
  const outOfBounds = { trusted: false, subIndication: 'OUT_OF_BOUNDS_NO_POE' }
  for (const claimed of [
    before(notBefore, minutes(6)),
    before(notBefore, days(1)),
    before(notBefore, days(10_000)),
    later(notAfter, days(1)),
    later(notAfter, days(36_500)),
  ])
    expect(judged({ claimed })).toMatchObject(outOfBounds)
  for (const claimed of [before(notBefore, minutes(5)), notBefore, TEST_NOW, notAfter])
    expect(judged({ claimed })).toMatchObject({ trusted: true, subIndication: null })
})

test('trust: a proven time barely before the certificate began is in it, an earlier one is not', () => {
  const { notBefore } = efirma.certificate
  for (const proven of [notBefore, before(notBefore, minutes(5)), later(notBefore, days(1))])
    expect(judged({ proven }), `${proven}`).toMatchObject({ trusted: true, subIndication: null })
  const early = judged({ proven: before(notBefore, minutes(6)) })
  expect(early).toMatchObject({ trusted: false, subIndication: 'NOT_YET_VALID' })
  expect(codesOf(early.warnings)).toEqual(['signed-before-certificate'])
})

test('trust: a seal for invoices does not sign for a person', async () => {
  const { certificate } = await testEfirma({ kind: 'csd', branch: 'Matriz' })
  expect(judged({}, certificate)).toMatchObject({
    subIndication: 'SIG_CONSTRAINTS_FAILURE',
    warnings: [{ code: 'certificate-for-seals' }],
  })
})

test('trust: a certificate for encryption does not sign', async () => {
  const { leaf, issuing, issuingKey } = await revocationCast()
  const certificate = mintAuthority({
    ...{ subject: leaf.subject.bytes, issuer: issuing, issuerKey: issuingKey, publicKeyOf: leaf },
    // keyEncipherment
    extensions: [basicConstraints({ isAuthority: false }), keyUsage(0x20, 5)],
  })
  expect(judged({}, certificate)).toMatchObject({
    subIndication: 'SIG_CONSTRAINTS_FAILURE',
    warnings: [{ code: 'certificate-not-for-signing' }],
  })
})

test.each([
  ['signatures', 0x80, 7],
  ['content commitment', 0x40, 6],
  ['both, and encryption', 0xe0, 5],
])('trust: a certificate for %s signs', async (_, usage, unused) => {
  const { leaf, issuing, issuingKey } = await revocationCast()
  const certificate = mintAuthority({
    ...{ subject: leaf.subject.bytes, issuer: issuing, issuerKey: issuingKey, publicKeyOf: leaf },
    extensions: [basicConstraints({ isAuthority: false }), keyUsage(usage, unused)],
  })
  expect(judged({}, certificate)).toMatchObject({ trusted: true, subIndication: null })
})

test.each<[string, string[], boolean]>([
  ['mail', ['1.3.6.1.5.5.7.3.4'], true],
  ['signing documents', ['1.3.6.1.5.5.7.3.36'], true],
  ['servers and mail', ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.4'], true],
  ['any purpose', ['2.5.29.37.0'], true],
  ['servers', ['1.3.6.1.5.5.7.3.1'], false],
  ['timestamps', ['1.3.6.1.5.5.7.3.8'], false],
  ['answers about revocation', ['1.3.6.1.5.5.7.3.9'], false],
  ['servers with strong encryption, of Netscape', ['2.16.840.1.113730.4.1'], false],
  [
    'servers with strong encryption, of Microsoft',
    ['1.3.6.1.5.5.7.3.1', '1.3.6.1.4.1.311.10.3.3'],
    false,
  ],
  ['servers and timestamps', ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.8'], false],
  ['no purpose at all', [], false],
])('trust: purposes of a certificate that signs documents: %s', async (_, purposes, signs) => {
  const { leaf, issuing, issuingKey } = await revocationCast()
  const certificate = mintAuthority({
    ...{ subject: leaf.subject.bytes, issuer: issuing, issuerKey: issuingKey, publicKeyOf: leaf },
    extensions: [
      basicConstraints({ isAuthority: false }),
      keyUsage(0xc0, 6),
      extendedKeyUsage(purposes, true),
    ],
  })
  const { subIndication, warnings } = judged({}, certificate)
  expect(subIndication).toBe(signs ? null : 'SIG_CONSTRAINTS_FAILURE')
  expect(codesOf(warnings).includes('certificate-not-for-signing')).toBe(!signs)
})

test.each<[string, string[] | undefined, boolean]>([
  ['without purposes', undefined, true],
  ['for any purpose', ['2.5.29.37.0'], true],
  ['for mail', ['1.3.6.1.5.5.7.3.4'], true],
  ['for signing documents', ['1.3.6.1.5.5.7.3.36'], true],
  ['for clients and answers', ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.9'], true],
  ['for servers and mail', ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.4'], true],
  ['for servers', ['1.3.6.1.5.5.7.3.1'], false],
  ['for timestamps', ['1.3.6.1.5.5.7.3.8'], false],
  ['for servers with strong encryption', ['2.16.840.1.113730.4.1'], false],
])('trust: under an authority %s', async (_, purposes, signs) => {
  const { leaf, issuing, root, rootKey } = await revocationCast()
  const { publicKey, privateKey } = await newKeyPair()
  const subject = nameOf([{ oid: '2.5.4.3', value: utf8String('Autoridad intermedia') }])
  const between = mintAuthority({
    ...{ subject, issuer: root, issuerKey: rootKey, publicKey },
    extensions: [
      basicConstraints({ isAuthority: true }),
      ...(purposes ? [extendedKeyUsage(purposes)] : []),
    ],
  })
  const certificate = mintAuthority({
    ...{ subject: leaf.subject.bytes, issuer: between, issuerKey: privateKey, publicKeyOf: leaf },
    extensions: [basicConstraints({ isAuthority: false })],
  })
  const candidates = [issuing, between]
  const times = { claimed: undefined, proven: undefined }
  const found = judgeTrust(certificate, times, { ...circumstances(), candidates })
  expect(found.subIndication).toBe(signs ? null : 'SIG_CONSTRAINTS_FAILURE')
  expect(codesOf(found.warnings).includes('certificate-not-for-signing')).toBe(!signs)
})

test('trust: of two certificates of one authority the one that is not for servers alone counts, in any order', async () => {
  const { leaf, root, rootKey } = await revocationCast()
  const { publicKey, privateKey } = await newKeyPair()
  const subject = nameOf([{ oid: '2.5.4.3', value: utf8String('Autoridad intermedia') }])
  const [forServers, forAll] = [[extendedKeyUsage(['1.3.6.1.5.5.7.3.1'])], []].map((purposes) =>
    mintAuthority({
      ...{ subject, issuer: root, issuerKey: rootKey, publicKey },
      extensions: [basicConstraints({ isAuthority: true }), ...purposes],
    }),
  ) as [Certificate, Certificate]
  const certificate = mintAuthority({
    ...{ subject: leaf.subject.bytes, issuer: forAll, issuerKey: privateKey, publicKeyOf: leaf },
    extensions: [basicConstraints({ isAuthority: false })],
  })
  const reasonWith = (...candidates: Certificate[]) =>
    judgeTrust(
      certificate,
      { claimed: undefined, proven: undefined },
      { ...circumstances(), candidates },
    ).subIndication
  expect(reasonWith(forAll, forServers)).toBeNull()
  expect(reasonWith(forServers, forAll)).toBeNull()
  expect(reasonWith(forServers)).toBe('SIG_CONSTRAINTS_FAILURE')
})

test('trust: the purposes of an anchor are a matter of the decision to trust it', async () => {
  const { leaf, root, rootKey } = await revocationCast()
  const [anchor] = policy.anchors
  const certificate = mintAuthority({
    ...{ subject: leaf.subject.bytes, issuer: root, issuerKey: rootKey, publicKeyOf: leaf },
    extensions: [basicConstraints({ isAuthority: false })],
  })
  const forServers = mintAuthority({
    ...{ subject: root.subject.bytes, issuer: root, issuerKey: rootKey, publicKeyOf: root },
    extensions: [basicConstraints({ isAuthority: true }), extendedKeyUsage(['1.3.6.1.5.5.7.3.1'])],
  })
  const anchors = anchor ? [{ ...anchor, certificate: forServers }] : []
  const times = { claimed: undefined, proven: undefined }
  const found = judgeTrust(certificate, times, circumstances({ anchors }))
  expect(found).toMatchObject({ trusted: true, subIndication: null })
})

test('trust: says why an answer about the revocation says nothing, if there is one', () => {
  const warningsWith = (...ders: Uint8Array[]) => {
    const ocsp = ders.map((der) => ({ der, source: 'fetched' as const }))
    const known = { ...circumstances(), evidence: { ocsp, crls: [] } }
    return judgeTrust(efirma.certificate, { claimed: undefined, proven: undefined }, known).warnings
  }
  const unchecked = warning('revocation-not-checked')
  expect(warningsWith()).toEqual([unchecked])
  const doubt = warning('revocation-answer-doubtful', { doubt: 'malformed' })
  expect(warningsWith(Uint8Array.of(0x30, 0))).toEqual([unchecked, doubt])
})

test('trust: a certificate that was revoked since a claimed time is trusted only if it was valid then', async () => {
  const revokedAt = before(TEST_NOW, days(9))
  const { notBefore } = efirma.certificate
  const der = await answerAbout(efirma.certificate, TEST_NOW, {
    at: revokedAt,
    reason: 1,
  })
  const evidence = { ocsp: [{ der, source: 'fetched' as const }], crls: [] }
  const claiming = (claimed: Instant | undefined) =>
    judgeTrust(efirma.certificate, { claimed, proven: undefined }, { ...circumstances(), evidence })
  const since = { trusted: true, warnings: [{ code: 'revoked-since-claimed-time' }] }
  const earlier = { trusted: false, warnings: [{ code: 'revoked-before-claimed-time' }] }
  expect(claiming(before(revokedAt, days(1)))).toMatchObject(since)
  for (const claimed of [revokedAt, undefined, before(notBefore, days(1))])
    expect(claiming(claimed), `${claimed}`).toMatchObject(earlier)
})

test('name in a certificate: is vouched for if a path leads to an anchor now or when it was issued', () => {
  const { certificate } = efirma
  const isVouched = (trusted: boolean, changes: Partial<VerificationPolicy>) =>
    isNameVouchedFor(certificate, { trusted }, 'signing', circumstances(changes))
  const later30 = { at: later(certificate.notAfter, days(30)) }
  expect(isVouched(false, later30)).toBe(true)
  expect(isVouched(true, { anchors: [] })).toBe(true)
  expect(isVouched(false, { anchors: [] })).toBe(false)
})
