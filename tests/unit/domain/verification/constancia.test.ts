import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { packPolicy, unpackPolicy } from '#server/adapters/pdf-work/policy-in-transit.ts'
import { basicConstraints, keyUsage } from '#server/demo/certificate-minting.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { days, after as later, parseInstant, toTimestamp } from '#server/domain/time.ts'
import type { ConstanciaReport } from '#server/domain/verification/report.ts'
import {
  certificatesInConstancia,
  judgeConstancia,
} from '#server/domain/verification/time/judge-constancia.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import {
  TEST_NOW,
  testAnchor,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'
import {
  responseWith,
  type Stamping,
  type StampingAuthority,
  stampingAuthority,
  stampOver,
  TEST_POLICY,
} from '#tests/support/authorities/time-stamps.ts'
import { answerAbout, sealWithStamps } from '#tests/support/pdf/long-term-pdfs.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf, testPolicy, verified } from '#tests/support/pdf/signed-pdfs.ts'

const DEED = Buffer.from('Escritura 12,345')
const DIGEST = createHash('sha256').update(DEED).digest()

/** With the profile of the providers: nothing says that it may give timestamps. */
let provider: StampingAuthority
let ordinary: StampingAuthority
beforeAll(async () => {
  const extensions = [basicConstraints({ isAuthority: false }), keyUsage(0xc0, 6, true)]
  provider = await stampingAuthority({
    name: 'PSC de prueba',
    notAfter: parseInstant('2027-01-01'),
    extensions,
  })
  ordinary = await stampingAuthority()
}, 60_000)

async function policyWith(
  changes: Partial<VerificationPolicy> = {},
  revocation: 'required' | 'when-available' = 'when-available',
): Promise<VerificationPolicy> {
  const { issuing } = await testAuthority()
  const issuer = {
    name: 'Prestador de prueba',
    policies: [TEST_POLICY],
    certificates: [],
    environment: 'production' as const,
  }
  return {
    ...(await testPolicy()),
    anchors: [],
    constancias: {
      anchors: [{ ...(await testAnchor()), certificate: issuing, revocation }],
      issuers: [issuer],
    },
    ...changes,
  }
}

const constancia = (changes: Partial<Stamping> = {}) =>
  stampOver(DEED, { by: provider, time: later(TEST_NOW, days(-30)), ...changes })

describe('a constancia beside a file', () => {
  test.each([
    ['the token alone', () => constancia()],
    ['the whole response', () => responseWith(0, constancia())],
    ['as text', () => Buffer.from(constancia()).toString('base64')],
    [
      'as text between lines',
      () =>
        `-----BEGIN TST-----\n${Buffer.from(constancia()).toString('base64')}\n-----END TST-----\n`,
    ],
  ])('%s', async (_, make) => {
    const bytes = new Uint8Array(Buffer.from(make()))
    expect(judgeConstancia(bytes, DIGEST, await policyWith())).toMatchObject({
      kind: 'constancia',
      verdict: 'VALID',
      subIndication: null,
      headline: { code: 'file-existed', parameters: { kind: 'constancia' } },
      matches: true,
      valid: true,
      trusted: true,
      forTesting: true,
      time: '2026-10-21T15:00:00.000Z',
      authority: 'Prestador de prueba',
      policy: TEST_POLICY,
    })
  })

  test('proves its date when the certificate of its issuer has long expired', async () => {
    const policy = await policyWith({ at: parseInstant('2031-01-01') })
    expect(judgeConstancia(constancia(), DIGEST, policy).verdict).toBe('VALID')
  })

  test('that names a certificate other than its own is accepted with a remark', async () => {
    const token = constancia({ certificateHash: DIGEST })
    const report = judgeConstancia(token, DIGEST, await policyWith())
    expect(report.verdict).toBe('VALID')
    expect(report.warnings.at(-1)?.code).toBe('constancia-certificate-not-bound')
  })

  test('revocation is asked about where the root wants it', async () => {
    const judged = async (evidence?: VerificationPolicy['evidence']) =>
      judgeConstancia(
        constancia(),
        DIGEST,
        await policyWith(evidence ? { evidence } : {}, 'required'),
      )
    expect(await judged()).toMatchObject({ verdict: 'INDETERMINATE', subIndication: 'TRY_LATER' })
    const answer = async (...status: [] | [{ at: typeof TEST_NOW }]) => ({
      ocsp: [
        {
          der: await answerAbout(provider.certificate, TEST_NOW, ...status),
          source: 'fetched' as const,
        },
      ],
      crls: [],
    })
    expect(await judged(await answer())).toMatchObject({
      verdict: 'VALID',
      revocation: { status: 'good', source: 'ocsp' },
    })
    expect(await judged(await answer({ at: later(TEST_NOW, days(-60)) }))).toMatchObject({
      verdict: 'INDETERMINATE',
      subIndication: 'REVOKED_NO_POE',
      trusted: false,
    })
  })
})

describe('rejects', () => {
  test.each<
    [
      string,
      Uint8Array,
      () => Uint8Array,
      string,
      string | null,
      ConstanciaReport['headline']['code'],
    ]
  >([
    [
      'another file',
      createHash('sha256').digest(),
      () => constancia(),
      'INVALID',
      'HASH_FAILURE',
      'constancia-of-other-file',
    ],
    [
      'a changed content',
      DIGEST,
      () => constancia({ signedContent: Buffer.from('otro') }),
      'INVALID',
      'HASH_FAILURE',
      'timestamp-content-differs',
    ],
    [
      'an unconfirmed policy',
      DIGEST,
      () => constancia({ policy: '1.2.3.4.9' }),
      'INDETERMINATE',
      'CHAIN_CONSTRAINTS_FAILURE',
      'constancia-policy-unconfirmed',
    ],
    [
      'an authority under no anchor for timestamps',
      DIGEST,
      () => constancia({ by: ordinary, policy: '1.2.3.4.9' }),
      'INDETERMINATE',
      'NO_CERTIFICATE_CHAIN_FOUND',
      'timestamp-authority-unknown',
    ],
    [
      'a refusal',
      DIGEST,
      () => responseWith(2),
      'NOT_A_CONSTANCIA',
      'FORMAT_FAILURE',
      'constancia-refused',
    ],
    ['junk', DIGEST, () => DEED, 'NOT_A_CONSTANCIA', 'FORMAT_FAILURE', 'constancia-unreadable'],
  ])('%s', async (_, digest, make, verdict, reason, code) => {
    const report = judgeConstancia(make(), digest, await policyWith())
    expect([report.verdict, report.subIndication]).toEqual([verdict, reason])
    expect(report.headline.code).toBe(code)
  })

  test('a pilot environment is told from production', async () => {
    const policy = await policyWith()
    const issuers = policy.constancias!.issuers.map((one) => ({
      ...one,
      environment: 'pilot' as const,
    }))
    const anchors = policy.constancias!.anchors.map((one) => ({ ...one, forTesting: false }))
    const judged = (changes: Partial<NonNullable<VerificationPolicy['constancias']>>) =>
      judgeConstancia(constancia(), DIGEST, {
        ...policy,
        constancias: { ...policy.constancias!, anchors, ...changes },
      })
    expect(judged({}).forTesting).toBe(false)
    expect(judged({ issuers }).forTesting).toBe(true)
  })
})

describe('a constancia beside a signed file', () => {
  const AT = parseInstant('2029-06-01')
  const SIGNED_IN_TIME = later(TEST_NOW, days(1))
  let file: Uint8Array
  beforeAll(async () => {
    // Expired when the file is looked at.
    const seal = sealOf(await testEfirma({ notAfter: parseInstant('2027-01-01') }))
    file = await handSigned({ seal })
  })
  const shownWith = async (bytes: Uint8Array, changes: Partial<VerificationPolicy> = {}) => {
    const { anchors } = await testPolicy()
    const policy = await policyWith({ anchors, at: AT, ...changes })
    return verifyFile(memorySource(file), 'prueba.pdf', policy, { constancia: bytes })
  }

  test('proves the time of its signatures, and adds nothing to their level', async () => {
    const alone = await verified(file, await policyWith({ ...(await testPolicy()), at: AT }))
    expect(alone).toMatchObject({ verdict: 'INDETERMINATE', first: { provenTime: null } })
    expect(alone).not.toHaveProperty('constancia')
    const report = await shownWith(stampOver(file, { by: provider, time: SIGNED_IN_TIME }))
    expect(report).toMatchObject({
      verdict: 'VALID',
      constancia: { verdict: 'VALID', matches: true },
      signatures: [
        {
          provenTime: toTimestamp(SIGNED_IN_TIME),
          level: 'B-B',
          timestamps: [{ kind: 'constancia', valid: true, trusted: true }],
        },
      ],
    })
  })

  test.each<[string, () => Uint8Array, string]>([
    ['of another file', () => constancia({ time: SIGNED_IN_TIME }), 'INVALID'],
    [
      'of an unknown issuer',
      () => stampOver(file, { by: provider, time: SIGNED_IN_TIME, policy: '1.2.3' }),
      'INDETERMINATE',
    ],
    ['that is none', () => DEED, 'NOT_A_CONSTANCIA'],
  ])('a constancia %s proves nothing and invalidates nothing', async (_, make, verdict) => {
    const report = await shownWith(make())
    expect(report).toMatchObject({
      verdict: 'INDETERMINATE',
      constancia: { verdict },
      signatures: [{ provenTime: null, timestamps: [], intact: true, valid: true }],
    })
    const policy = { at: TEST_NOW }
    expect(await shownWith(make(), policy)).toMatchObject({
      verdict: 'VALID',
      constancia: { verdict },
    })
  })

  test('over an earlier revision of it is told apart, and counts for nothing else', async () => {
    const { anchors } = await testPolicy()
    const policy = await policyWith({ anchors, at: AT })
    const grown = appendRevision(appendRevision(file, { 90: '<< >>' }), { 91: '<< >>' })
    const token = stampOver(file, { by: provider, time: SIGNED_IN_TIME })
    const beside = (bytes: Uint8Array, constancia = token) =>
      verifyFile(memorySource(bytes), 'prueba.pdf', policy, { constancia })
    const report = beside(grown)
    expect(report.constancia).toMatchObject({
      kind: 'constancia',
      verdict: 'EARLIER_REVISION',
      matches: false,
      revisionBytes: file.length,
      headline: {
        code: 'earlier-revision-existed',
        parameters: { kind: 'constancia', bytes: file.length },
      },
    })
    expect(report.signatures).toMatchObject([{ provenTime: null, timestamps: [] }])

    const broken = Uint8Array.from(grown)
    broken[100]! ^= 1
    const refused = stampOver(file, { by: provider, time: SIGNED_IN_TIME, policy: '1.2.3' })
    for (const [bytes, shown, verdict] of [
      [broken, token, 'INVALID'],
      [grown, refused, 'INDETERMINATE'],
    ] as const) {
      const { constancia } = beside(bytes, shown)
      expect(constancia).toMatchObject({ verdict })
      expect(constancia?.headline.code).not.toBe('earlier-revision-existed')
    }
  })

  test('is judged beside a file without signatures, and beside one that is no PDF', async () => {
    const about = async (bytes: Uint8Array) =>
      verifyFile(memorySource(bytes), 'a', await policyWith(), {
        constancia: stampOver(bytes, { by: provider, time: TEST_NOW }),
      })
    const good = { constancia: { verdict: 'VALID' } }
    expect(await about(pdfWithTable(bodiesWithPages(1)))).toMatchObject({
      verdict: 'NO_SIGNATURE',
      ...good,
    })
    expect(await about(DEED)).toMatchObject({ verdict: 'NOT_A_PDF', ...good })
  })

  test('revocation of its issuer is checked', () => {
    const [only, ...more] = certificatesInConstancia(constancia())
    expect(Buffer.from(only!)).toEqual(Buffer.from(provider.certificate.der))
    expect([more, certificatesInConstancia(DEED)]).toEqual([[], []])
  })
})

test('constancia: naming the policy of an issuer does not make its issuer trusted', async () => {
  const policy = await policyWith()
  const own = { ...policy.constancias!, anchors: [] }
  const efirma = await testEfirma()
  const by = { certificate: efirma.certificate, key: efirma.keyPair.privateKey }
  expect(
    judgeConstancia(constancia({ by }), DIGEST, { ...policy, constancias: own }),
  ).toMatchObject({
    verdict: 'INDETERMINATE',
    valid: false,
    trusted: false,
    authority: 'A** M**** M**** L****',
  })
  const seal = sealWithStamps(efirma, (signature) => [
    stampOver(signature, { by, time: TEST_NOW, certificates: [] }),
  ])
  const file = await handSigned({ seal })
  const { first } = await verified(file, { ...(await testPolicy()), constancias: own })
  expect(first).toMatchObject({ level: 'B-B', provenTime: null, timestamps: [{ valid: false }] })
})

test('a certificate below another authority than the root counts only when it is pinned', async () => {
  const policy = await policyWith()
  const [issuer] = policy.constancias!.issuers
  const judged = async (certificates: string[]) =>
    judgeConstancia(constancia(), DIGEST, {
      ...policy,
      candidates: [(await testAuthority()).issuing],
      constancias: { anchors: [await testAnchor()], issuers: [{ ...issuer!, certificates }] },
    })
  expect(await judged([])).toMatchObject({
    verdict: 'INDETERMINATE',
    valid: false,
    headline: { code: 'constancia-root-differs' },
  })
  const pin = createHash('sha256').update(provider.certificate.der).digest('hex')
  expect((await judged([pin])).verdict).toBe('VALID')
})

test('a timestamp of an ordinary authority beside a file is said to be one', async () => {
  const policy = await policyWith({ timestampAnchors: [await testAnchor()] })
  const token = constancia({ by: ordinary, policy: '1.2.3.4.9' })
  expect(judgeConstancia(token, DIGEST, policy)).toMatchObject({
    kind: 'timestamp',
    verdict: 'VALID',
    authority: 'Autoridad de sellado de prueba',
  })
})

test('a constancia inside a signature proves its time, also across threads', async () => {
  const policy = { ...(await testPolicy()), constancias: (await policyWith()).constancias! }
  const time = later(TEST_NOW, days(-1))
  const seal = sealWithStamps(await testEfirma(), (signature) => [
    stampOver(signature, { by: provider, time }),
  ])
  const file = await handSigned({ seal, time: '' })
  for (const one of [policy, unpackPolicy(structuredClone(packPolicy(policy)))])
    expect((await verified(file, one)).first).toMatchObject({
      provenTime: '2026-11-19T15:00:00.000Z',
      timestamps: [{ kind: 'constancia', trusted: true, authority: 'Prestador de prueba' }],
    })
})

test('all of a policy crosses threads', async () => {
  const policy: VerificationPolicy = {
    ...(await policyWith()),
    anchors: [await testAnchor()],
    timestampAnchors: [await testAnchor()],
    evidence: {
      ocsp: [{ der: Uint8Array.of(1), source: 'fetched', provenAt: TEST_NOW }],
      crls: [],
    },
    tolerance: days(1),
    responders: [{ certificate: provider.certificate, authorities: ['ab'] }],
  }
  const arrived = unpackPolicy(structuredClone(packPolicy(policy)))
  const plain = (one: VerificationPolicy) =>
    JSON.parse(JSON.stringify(one, (key, value) => (key === 'certificate' ? value.serial : value)))
  expect(plain(arrived)).toEqual(plain(policy))
})
