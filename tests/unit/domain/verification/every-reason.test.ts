import { beforeAll, expect, test } from 'vitest'
import { extendedKeyUsage } from '#server/demo/certificate-minting.ts'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { mintOcspResponse, type Revocation } from '#server/demo/revocation-minting.ts'
import { concatBytes, memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { after, before, days, hours, parseInstant } from '#server/domain/time.ts'
import { CURRENT_ALGORITHMS } from '#server/domain/trust/algorithm-policy.ts'
import { changesAfterSignature } from '#server/domain/verification/changes-after-signature.ts'
import { type FoundSignature, findSignatures } from '#server/domain/verification/find-signatures.ts'
import { gatherProofs } from '#server/domain/verification/proofs.ts'
import { type ReadSignature, readSignatures } from '#server/domain/verification/read-signatures.ts'
import { judgeTime } from '#server/domain/verification/time/judge-time.ts'
import type { VerificationPolicy } from '#server/domain/verification/verification-policy.ts'
import {
  aPrivateAuthority,
  certificateUnder,
  type PrivateAuthority,
} from '#tests/support/authorities/private-authority.ts'
import { idOf } from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  type Stamping,
  stampingAuthority,
  stampOver,
  TIME_STAMPING,
} from '#tests/support/authorities/time-stamps.ts'
import { sealWithStamps } from '#tests/support/pdf/long-term-pdfs.ts'
import { misnamedSeal } from '#tests/support/pdf/misnamed-seal.ts'
import {
  appendTable,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf, testPolicy, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* Codes that need a file, a time or an authority of their own. */

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const NOTHING = { certificates: [], ocsp: [], crls: [] }
const SIGNED_BEFORE_2020 = {
  ...CURRENT_ALGORITHMS,
  digests: { ...CURRENT_ALGORITHMS.digests, sha256: parseInstant('2020-01-01') },
}

test('too-many-timestamps', async () => {
  const stamps = Array.from({ length: 101 }, (_, at) => ({
    dictionary: { subFilter: 'ETSI.RFC3161' },
    coverage: { coverage: 'ENTIRE_FILE', byteRange: [0, 1, 2, 1000 - at] },
    content: { kind: 'refused', reason: { code: 'cms-damaged', parameters: {} } },
  })) as unknown as ReadSignature[]
  const { timeOf } = judgeTime(stamps, NOTHING, await testPolicy())
  expect(timeOf(stamps[99]!).own?.judgement.reason?.code).toBe('cms-damaged')
  expect(timeOf(stamps[100]!).own?.judgement.reason?.code).toBe('too-many-timestamps')
})

test('too-many-signatures', () => {
  const document = readDocument(memorySource(pdfWithTable(bodiesWithPages(1))))
  const found = {
    dictionary: { fieldNames: ['Firma1'], repeatedKeys: [] },
    coverage: { coverage: 'ENTIRE_FILE', byteRange: [0, 1, 2, 1 << 30] },
    content: { kind: 'read', content: { rangeDigest: 'sha256' } },
  } as unknown as FoundSignature
  const [evidence] = readSignatures(document, [found]).evidence
  expect(evidence!.content).toMatchObject({ reason: { code: 'too-many-signatures' } })
})

test('issuer-misnamed', async () => {
  const report = await verified(await handSigned({ seal: misnamedSeal(efirma) }))
  expect(report.verdict).toBe('VALID')
  expect(codesOf(report.first.warnings)).toContain('issuer-misnamed')
})

test('irregular-after-signature', async () => {
  const file = textOf(appendTable(await handSigned({ seal: sealOf(efirma) }), { 50: '7' }))
  const crooked = file.replace(/(\d+)(\s+%%EOF\s*)$/, (_, at, end) => `${Number(at) + 1}${end}`)
  const { verdict, first } = await verified(bytesOf(crooked))
  expect(verdict).not.toBe('VALID')
  const found = first.warnings.find(({ code }) => code === 'irregular-after-signature')
  expect(found?.parameters).toEqual({ byte: expect.any(Number) })
})

test('other-version-after-signature', async () => {
  const base = await handSigned({ seal: sealOf(efirma) })
  const prev = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(textOf(base))?.[1])
  const loose = bytesOf(`11 0 obj\n${streamBody('BT (Otra cosa) Tj ET')}\nendobj\n`)
  const { first } = await verified(appendTable(concatBytes(base, loose), { 50: '7' }, { prev }))
  expect(first.changes).toContainEqual(
    expect.objectContaining({
      code: 'other-version-after-signature',
      parameters: { object: 11, page: 1 },
    }),
  )
})

test('incomplete-revision-added: a file that was cut off after its signature says what to do', async () => {
  const base = await handSigned({ seal: sealOf(efirma) })
  const whole = appendTable(base, { 50: '7', 51: '8' })
  const { headline, first } = await verified(whole.slice(0, base.length + 30))
  expect(codesOf(first.changes)).toContain('incomplete-revision-added')
  expect(headline.code).toBe('incomplete-or-modified')
})

test('later-revisions-unreadable', () => {
  const document = {
    source: memorySource(bytesOf('-'.repeat(30))),
    revisions: [{ end: 10 }, { end: 30 }],
  }
  const found = {
    coverage: { coverage: 'ENTIRE_REVISION', revision: 0 },
    dictionary: { byteRange: [0, 1, 2, 8], locks: [] },
  }
  const { changes } = changesAfterSignature(
    document as unknown as PdfDocument,
    found as unknown as FoundSignature,
  )
  expect(codesOf(changes)).toEqual(['later-revisions-unreadable'])
})

test('too-complex-to-read', async () => {
  const deep = pdfWithTable({ ...bodiesWithPages(1), 1: '['.repeat(2_000_000) })
  expect(codesOf((await verified(deep)).warnings)).toContain('too-complex-to-read')
})

test('revocation-answer-doubtful', async () => {
  const evidence = { ocsp: [{ der: Uint8Array.of(1), source: 'fetched' as const }], crls: [] }
  const file = await handSigned({ seal: sealOf(efirma) })
  const { first } = await verified(file, { ...(await testPolicy()), evidence })
  expect(first.warnings).toContainEqual({
    code: 'revocation-answer-doubtful',
    parameters: { doubt: 'malformed' },
  })
})

test('chain-algorithm-weak', async () => {
  const policy = { ...(await testPolicy()), algorithms: SIGNED_BEFORE_2020 }
  const { first } = await verified(await handSigned({ seal: sealOf(efirma) }), policy)
  expect(codesOf(first.warnings)).toEqual(['algorithm-weak', 'chain-algorithm-weak'])
})

test('certificate-not-for-signing', async () => {
  const root = await aPrivateAuthority('Raíz')
  const { certificate, key: keyPair } = await certificateUnder(root, { isAuthority: true })
  const seal = sealOf({ ...efirma, certificate, keyPair, cer: certificate.der })
  const anchor = { certificate: root.certificate, label: 'Raíz', forTesting: true }
  const { first } = await verified(await handSigned({ seal }), {
    anchors: [{ ...anchor, revocation: 'when-available' }],
    candidates: [],
    at: TEST_NOW,
  })
  expect(first.warnings[0]?.code).toBe('certificate-not-for-signing')
})

test('signed-before-certificate', async () => {
  const by = await stampingAuthority({ notBefore: parseInstant('2024-02-01') })
  const time = parseInstant('2024-03-01')
  const seal = sealWithStamps(efirma, (signature) => [stampOver(signature, { by, time })])
  const { verdict, first } = await verified(await handSigned({ seal, time: '' }))
  expect(verdict).toBe('INVALID')
  expect(first.warnings[0]).toMatchObject({
    code: 'signed-before-certificate',
    parameters: { provenTime: '2024-03-01T00:00:00.000Z' },
  })
})

/** What is said of a timestamp of now over a signature. */
async function stampWith(policy: VerificationPolicy, stamping: Partial<Stamping> = {}) {
  const by = stamping.by ?? (await stampingAuthority())
  const seal = sealWithStamps(efirma, (signature) => [
    stampOver(signature, { time: TEST_NOW, ...stamping, by }),
  ])
  const { signatures, proofs } = await found(await handSigned({ seal }))
  const [stamp] = judgeTime(signatures, proofs, policy).timeOf(signatures[0]!).stamps
  return stamp!.judgement
}

async function found(file: Uint8Array) {
  const document = readDocument(memorySource(file))
  const { signatures } = findSignatures(document)
  const { evidence } = readSignatures(document, signatures)
  return { signatures: evidence, proofs: gatherProofs(document, signatures) }
}

test('timestamp-revocation-unknown, timestamp-algorithm-weak', async () => {
  const good = await stampWith(await testPolicy())
  expect(good).toMatchObject({ isProof: true, reason: null })
  expect(codesOf(good.trust.warnings)).toEqual(['timestamp-revocation-not-checked'])
  const required = await testPolicy({ revocation: 'required' })
  expect((await stampWith(required)).reason?.code).toBe('timestamp-revocation-unknown')
  const weak = { ...(await testPolicy()), algorithms: SIGNED_BEFORE_2020 }
  expect((await stampWith(weak)).reason?.code).toBe('timestamp-algorithm-weak')
})

test('timestamp-chain-rules-broken', async () => {
  const root = await aPrivateAuthority('Raíz')
  const person = await certificateUnder(root)
  const leaf = await certificateUnder(person, {
    extensions: [extendedKeyUsage([TIME_STAMPING], true)],
  })
  const anchor = { certificate: root.certificate, label: 'Raíz', forTesting: true }
  const timestampAnchors = [{ ...anchor, revocation: 'when-available' as const }]
  const by = { certificate: leaf.certificate, key: leaf.key.privateKey }
  const certificates = [leaf.certificate, person.certificate]
  const judged = await stampWith(
    { ...(await testPolicy()), timestampAnchors },
    { by, certificates },
  )
  expect(judged.reason?.code).toBe('timestamp-chain-rules-broken')
})

test('timestamp-of-other-signature', async () => {
  const by = await stampingAuthority()
  let other = new Uint8Array()
  const first = await found(
    await handSigned({
      seal: sealWithStamps(efirma, (signature) => {
        other = new Uint8Array(signature)
        return []
      }),
    }),
  )
  const copied = sealWithStamps(efirma, () => [stampOver(other, { by, time: TEST_NOW })])
  const second = await found(await handSigned({ seal: copied, time: 'D:20261120150100Z' }))
  const all = [...first.signatures, ...second.signatures]
  const { timeOf } = judgeTime(all, second.proofs, await testPolicy())
  expect(timeOf(all[1]!).stamps[0]?.judgement.reason?.code).toBe('timestamp-of-other-signature')
})

test('timestamp-authority-revoked, timestamp-authority-revocation-not-checked', async () => {
  const root = await aPrivateAuthority('Raíz')
  const between = await certificateUnder(root, { isAuthority: true, ocsp: ['http://a.example/'] })
  const leaf = await certificateUnder(between, {
    extensions: [extendedKeyUsage([TIME_STAMPING], true)],
  })
  const by = { certificate: leaf.certificate, key: leaf.key.privateKey }
  const certificates = [leaf.certificate, between.certificate]
  const answer = (
    about: PrivateAuthority,
    issuer: PrivateAuthority,
    status: 'good' | Revocation,
  ) => ({
    source: 'fetched' as const,
    der: mintOcspResponse({
      singles: [
        {
          id: idOf(about.certificate, issuer.certificate),
          status,
          thisUpdate: TEST_NOW,
          nextUpdate: after(TEST_NOW, hours(1)),
        },
      ],
      producedAt: TEST_NOW,
      responder: issuer.certificate,
      responderKey: issuer.key.privateKey,
      certificates: [issuer.certificate],
    }),
  })
  const anchor = { certificate: root.certificate, label: 'Raíz', forTesting: true }
  const timestampAnchors = [{ ...anchor, revocation: 'required' as const }]
  const reasonWith = async (...ocsp: ReturnType<typeof answer>[]) => {
    const policy = { ...(await testPolicy()), timestampAnchors, evidence: { ocsp, crls: [] } }
    return (await stampWith(policy, { by, certificates })).reason?.code
  }
  const aboutLeaf = answer(leaf, between, 'good')
  expect(await reasonWith(aboutLeaf)).toBe('timestamp-authority-revocation-not-checked')
  const revoked = answer(between, root, { at: before(TEST_NOW, days(1)), reason: 2 })
  expect(await reasonWith(aboutLeaf, revoked)).toBe('timestamp-authority-revoked')
  expect(await reasonWith(aboutLeaf, answer(between, root, 'good'))).toBeUndefined()
})
