import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { memorySource } from '#server/domain/bytes.ts'
import type { SignerFacts } from '#server/domain/cms/verify-signer.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { days, before as earlier, after as later } from '#server/domain/time.ts'
import { readTimeStampToken } from '#server/domain/timestamp/time-stamp-token.ts'
import {
  type TimeStampProblem,
  verifyTimeStamp,
} from '#server/domain/timestamp/verify-time-stamp.ts'
import type { PathFailure } from '#server/domain/trust/path.ts'
import { nothingKnown } from '#server/domain/verification/circumstances.ts'
import type { Warning } from '#server/domain/verification/codes/warning.ts'
import { judgeCoverage } from '#server/domain/verification/coverage.ts'
import { ambiguitiesOf } from '#server/domain/verification/file-warnings.ts'
import { indicationOf, type SignatureFacts } from '#server/domain/verification/indication.ts'
import {
  readSignatureContent,
  type SignatureContent,
} from '#server/domain/verification/signature-content.ts'
import { judgeTimeStamp } from '#server/domain/verification/time/judge-time-stamp.ts'
import { UNKNOWN_REVOCATION, untrusted } from '#server/domain/verification/trust-facts.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import { bodiesWithPages, bytesOf, pdfWithTable, textOf } from '#tests/support/pdf/pdf-builders.ts'
import {
  type HandSigned,
  handSigned,
  sealOf,
  testPolicy,
  verified,
  withTail,
} from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* Each code of a warning that no story of another test has, by the judge that gives it. */

type Code = Warning['code']

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const plain = pdfWithTable(bodiesWithPages(1))
const document = readDocument(memorySource(plain))
/** Stands in the file with its brackets: the first half of /ID. */
const identifier = textOf(plain).indexOf('<0011')
const hexadecimal = { start: identifier, end: identifier + 34 }

test.each<[Code, number[], { start: number; end: number } | undefined]>([
  ['contents-misplaced', [0, 10, 20, 5], undefined],
  ['gap-differs-from-contents', [0, 2, 6, 5], { start: 2, end: 5 }],
  ['foreign-bytes-in-contents', [0, 1, 9, 5], { start: 1, end: 9 }],
  ['signed-end-inside-revision', [0, hexadecimal.start, hexadecimal.end, 3], hexadecimal],
])('coverage: %s', (code, byteRange, contentsSpan) => {
  const contentsForm = contentsSpan && 'hexadecimal'
  const facts = judgeCoverage(document, { byteRange, contentsSpan, contentsForm })
  expect(facts).toMatchObject({ coverage: 'UNCLEAR', reason: { code } })
})

test.each<[Code, string, Uint8Array]>([
  ['contents-empty', 'ETSI.CAdES.detached', new Uint8Array(9)],
  ['certificate-entry-missing', 'adbe.x509.rsa_sha1', Uint8Array.of(4, 1, 7)],
  ['cms-damaged', 'ETSI.CAdES.detached', Uint8Array.of(0x30, 0x82, 0xff)],
])('content of a signature: %s', (code, subFilter, contents) => {
  expect(readSignatureContent({ subFilter, contents, certificates: [] })).toMatchObject({
    reason: { code },
  })
})

test.each<[Code, string]>([
  ['timestamp-content-missing', 'ETSI.RFC3161'],
  ['sha1-digest-missing', 'adbe.pkcs7.sha1'],
  ['format-unsupported', 'Own.Format'],
])('format of a signature: %s', async (code, subFilter) => {
  const { first } = await verified(await handSigned({ subFilter, seal: sealOf(efirma) }))
  expect(first.warnings[0]?.code).toBe(code)
})

const GOOD: SignerFacts = {
  certificate: undefined,
  isIntact: true,
  isValid: true,
  digest: 'sha256',
  signature: undefined,
  isWeak: false,
  certificateBinding: 'matches',
  problems: [],
}
const FACTS: SignatureFacts = {
  content: { kind: 'read', content: {} as SignatureContent },
  coverage: { coverage: 'ENTIRE_FILE' },
  cms: GOOD,
  isIntact: true,
  isWeak: false,
  trust: {
    trusted: true,
    forTesting: false,
    subIndication: null,
    warnings: [],
    revocation: UNKNOWN_REVOCATION,
  },
  modification: 'NONE',
  allowed: undefined,
  requiresBinding: true,
  mayBeCovered: false,
  isWrittenOver: false,
  doubts: [],
}
const failing = (...problems: SignerFacts['problems']) => ({
  cms: { ...GOOD, isValid: false, problems },
})

test.each<[Code, Partial<SignatureFacts>]>([
  ['signed-content-differs', { isIntact: false }],
  ['signature-differs', failing('signature-differs')],
  ['signature-algorithm-unsupported', failing('signature-algorithm-unsupported')],
  ['signed-content-too-large', failing('content-missing')],
  ['algorithms-incompatible', failing('digest-not-allowed')],
  ['signed-attributes-malformed', failing('attribute-ambiguous')],
  ['signed-attributes-malformed', { cms: { ...GOOD, problems: ['content-type-differs'] } }],
  ['modified-after-signature', { modification: 'OTHER' }],
  ['annotated-after-signature', { modification: 'ANNOTATIONS' }],
  ['written-over-after-signature', { isWrittenOver: true }],
  ['algorithm-unknown', { cms: undefined }],
  ['signer-certificate-missing', { trust: undefined }],
  ['key-unsupported', { cms: { ...GOOD, problems: ['key-unsupported'] } }],
  ['algorithm-weak', { isWeak: true }],
  ['certificate-not-bound', { cms: { ...GOOD, certificateBinding: 'absent' } }],
])('indication: %s', (code, changes) => {
  expect(indicationOf(FACTS)).toEqual({ indication: 'TOTAL_PASSED', subIndication: null })
  expect(indicationOf({ ...FACTS, ...changes }).reason?.code).toBe(code)
})

test.each<[Code, PathFailure]>([
  ['authority-unknown', 'no-issuer'],
  ['certificate-signature-wrong', 'bad-signature'],
  ['certificate-expired', 'expired'],
  ['certificate-not-yet-valid', 'not-yet-valid'],
  ['too-many-certificates', 'too-many-attempts'],
  ['chain-key-unsupported', 'unsupported-key'],
  ['chain-rules-broken', 'unsupported-algorithm'],
])('path of certificates: %s', (code, reason) => {
  const { certificate } = efirma
  const facts = untrusted({ kind: 'none', reason, certificate, isAboutSigner: true })
  expect(codesOf(facts.warnings)).toEqual([code])
})

test.each<[Code, Partial<HandSigned>]>([
  ['signature-key-repeated', { entries: '/SubFilter/adbe.pkcs7.detached' }],
  [
    'signature-in-several-fields',
    { form: '/Fields[20 0 R 22 0 R]', bodies: { 22: '<</FT/Sig/T(Otra)/V 21 0 R>>' } },
  ],
])('a signature in its file: %s', async (code, options) => {
  const { first } = await verified(await handSigned({ seal: sealOf(efirma), ...options }))
  expect(codesOf(first.warnings)).toContain(code)
})

test('a signature in its file: data-after-signed-bytes', async () => {
  const file = withTail(await handSigned({ seal: sealOf(efirma) }), 'otra cosa')
  const { first, warnings } = await verified(file)
  expect(codesOf(first.warnings)).toContain('data-after-signed-bytes')
  expect(codesOf(warnings)).toContain('data-after-document')
})

test('a file as a whole: part-unreadable, written-in-two-ways, cross-reference-damaged', () => {
  const hidden = ambiguitiesOf(document, { isHidden: true, isAmbiguous: true })
  expect(codesOf(hidden)).toEqual(['part-unreadable', 'written-in-two-ways'])
  const broken = bytesOf(textOf(plain).replace(/startxref\n\d+/, 'startxref\n1'))
  const rebuilt = readDocument(memorySource(broken))
  const found = codesOf(ambiguitiesOf(rebuilt, { isHidden: false, isAmbiguous: false }))
  expect(found).toContain('cross-reference-damaged')
})

const PROBLEMS: readonly [Code, TimeStampProblem][] = [
  ['timestamp-imprint-differs', 'imprint-differs'],
  ['timestamp-digest-unsupported', 'digest-unsupported'],
  ['timestamp-content-differs', 'content-differs'],
  ['timestamp-signature-differs', 'signature-differs'],
  ['timestamp-certificate-not-bound', 'certificate-not-bound'],
  ['timestamp-malformed', 'malformed'],
  ['timestamp-critical-extension', 'critical-extension'],
  ['timestamp-not-for-time-stamping', 'not-for-time-stamping'],
]

/** A good timestamp of now, and what is judged of it with these facts. */
async function judgedStamp(changes: { problem?: TimeStampProblem; now?: typeof TEST_NOW }) {
  const by = await stampingAuthority()
  const token = readTimeStampToken(stampOver(plain, { by, time: TEST_NOW }))
  const facts = { ...verifyTimeStamp(token, () => token.info.imprint), isBound: true }
  const { problem, now = TEST_NOW } = changes
  const policy = await testPolicy({ at: now })
  const circumstances = {
    policy,
    candidates: policy.candidates,
    evidence: { ocsp: [], crls: [] },
    known: nothingKnown(),
  }
  return judgeTimeStamp(
    token,
    { ...facts, ...(problem && { problem, isValid: false }) },
    { kind: 'signature', provenAt: undefined, circumstances },
  )
}

test.each(PROBLEMS)('timestamp: %s', async (code, problem) => {
  expect((await judgedStamp({ problem })).reason?.code).toBe(code)
})

test('timestamp: timestamp-in-future, timestamp-certificate-expired', async () => {
  expect((await judgedStamp({})).reason).toBeNull()
  const early = await judgedStamp({ now: earlier(TEST_NOW, days(9)) })
  expect(early.reason?.code).toBe('timestamp-in-future')
  const late = await judgedStamp({ now: later(TEST_NOW, days(3000)) })
  expect(late.reason?.code).toBe('timestamp-certificate-expired')
})
