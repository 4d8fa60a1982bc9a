import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { readDer } from '#server/domain/asn1/der.ts'
import { explicitContent, octetsOf, sequenceOf } from '#server/domain/asn1/der-values.ts'
import { explicit, sequence } from '#server/domain/asn1/der-writer.ts'
import { days, after as later, minutes, parseInstant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { mintCertificateList } from '#tests/support/authorities/certificate-lists.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  attribute,
  type StampingAuthority,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import {
  answerAbout,
  type Stored,
  sealWithStamps,
  withDocumentStamp,
  withValidationData,
} from '#tests/support/pdf/long-term-pdfs.ts'
import {
  handSigned,
  type Seal,
  testPolicy,
  verdictAndReason,
  verified,
} from '#tests/support/pdf/signed-pdfs.ts'

const SIGNED = TEST_NOW
const CHECKED = later(SIGNED, minutes(1))

let efirma: Efirma
let authority: StampingAuthority
let chain: Certificate[]
let answers: Uint8Array[]
beforeAll(async () => {
  efirma = await testEfirma()
  authority = await stampingAuthority()
  const { root, issuing } = await testAuthority()
  chain = [issuing, root]
  answers = [
    await answerAbout(efirma.certificate, CHECKED),
    await answerAbout(authority.certificate, CHECKED),
  ]
}, 60_000)

const stamp = (over: Uint8Array, time = SIGNED) => stampOver(over, { by: authority, time })
const stamped = () =>
  handSigned({ seal: sealWithStamps(efirma, (signature) => [stamp(signature)]) })
const withAll = (file: Uint8Array, stored: Stored = {}) =>
  withValidationData(file, { certificates: chain, ocsp: answers, ...stored })
const archived = (file: Uint8Array) =>
  withDocumentStamp(file, (signed) => stamp(signed, later(SIGNED, minutes(5))))

const inAnHour = { at: later(SIGNED, minutes(60)) }
const levelIn = async (file: Uint8Array) =>
  (await verified(file, await testPolicy(inAnHour))).first.level

describe('levels', () => {
  test.each<[string, () => Promise<Uint8Array>, string]>([
    ['a signature alone', () => handSigned({ seal: sealWithStamps(efirma, () => []) }), 'B-B'],
    ['a timestamp', stamped, 'B-T'],
    [
      'a document timestamp in its place',
      async () => archived(await handSigned({ seal: sealWithStamps(efirma, () => []) })),
      'B-T',
    ],
    ['with everything that is needed to judge it', async () => withAll(await stamped()), 'B-LT'],
    [
      'kept for the one signature',
      async () => withAll(await stamped(), { isForOne: true }),
      'B-LT',
    ],
    [
      'without the word about the signer',
      async () => withAll(await stamped(), { ocsp: answers.slice(1) }),
      'B-T',
    ],
    [
      'without the word about who gave the timestamp',
      async () => withAll(await stamped(), { ocsp: answers.slice(0, 1) }),
      'B-T',
    ],
    [
      'without the way to a root',
      async () => withAll(await stamped(), { certificates: [] }),
      'B-T',
    ],
    [
      'with a word that was over before',
      async () =>
        withAll(await stamped(), {
          ocsp: [await answerAbout(efirma.certificate, later(SIGNED, days(-9))), answers[1]!],
        }),
      'B-T',
    ],
    ['kept by a later timestamp', async () => archived(withAll(await stamped())), 'B-LTA'],
    [
      'whose later timestamp came before the evidence',
      async () => withAll(archived(await stamped())),
      'B-LT',
    ],
    [
      'whose later timestamp is over something else',
      async () =>
        withDocumentStamp(withAll(await stamped()), () =>
          stamp(Buffer.from('otra'), later(SIGNED, minutes(5))),
        ),
      'B-LT',
    ],
  ])('%s', async (_, make, level) => {
    expect(await levelIn(await make())).toBe(level)
  })

  test('a format that is not of PAdES has none', async () => {
    const file = await handSigned({
      seal: sealWithStamps(efirma, (signature) => [stamp(signature)]),
      subFilter: 'adbe.pkcs7.detached',
    })
    const report = await verified(withAll(file), await testPolicy(inAnHour))
    expect(report.first).toMatchObject({
      level: 'NOT_PADES',
      provenTime: '2026-11-20T15:00:00.000Z',
    })
  })
})

describe('an anchor that wants to know about revocation', () => {
  const required = () => testPolicy({ ...inAnHour, revocation: 'required' })
  const reasonOf = async (file: Uint8Array) =>
    verdictAndReason(await verified(file, await required()))

  test('a valid result always has a sentence', async () => {
    expect(await reasonOf(await stamped())).toEqual(['INDETERMINATE', 'TRY_LATER'])
  })

  test('the document security store has it', async () => {
    const report = await verified(withAll(await stamped()), await required())
    expect(report).toMatchObject({
      verdict: 'VALID',
      first: {
        revocation: {
          status: 'good',
          source: 'embedded',
          checkedAt: '2026-11-20T15:01:00.000Z',
          revokedAt: null,
        },
        warnings: [],
      },
    })
  })

  test('a list has it', async () => {
    const { issuing, issuingKey } = await testAuthority()
    const list = mintCertificateList({
      issuer: issuing,
      issuerKey: issuingKey.privateKey,
      thisUpdate: CHECKED,
      nextUpdate: later(CHECKED, days(1)),
    })
    const file = withValidationData(await stamped(), { crls: [list] })
    expect(await reasonOf(file)).toEqual(['VALID', null])
  })

  test.each<[string, (response: Uint8Array) => Uint8Array]>([
    [
      'the attribute of PDF',
      (response) => attribute('1.2.840.113583.1.1.8', sequence(explicit(1, sequence(response)))),
    ],
    [
      'the attribute of CAdES',
      (response) =>
        attribute('1.2.840.113549.1.9.16.2.24', sequence(explicit(1, sequence(basicOf(response))))),
    ],
  ])('%s has it', async (_, attributeOf) => {
    const seal: Seal = sealWithStamps(efirma, () => [], [
      attributeOf(await answerAbout(efirma.certificate, CHECKED)),
    ])
    expect(await reasonOf(await handSigned({ seal }))).toEqual(['VALID', null])
  })

  test('an answer about another certificate is ignored', async () => {
    const file = withAll(await stamped(), { ocsp: answers.slice(1) })
    expect(await reasonOf(file)).toEqual(['INDETERMINATE', 'TRY_LATER'])
  })

  test('a timestamp of an unknown authority proves nothing', async () => {
    const report = await verified(
      withAll(await stamped(), { ocsp: answers.slice(0, 1) }),
      await required(),
    )
    expect(report).toMatchObject({
      verdict: 'VALID',
      first: { provenTime: null, timestamps: [{ valid: true, trusted: false }] },
    })
  })
})

test.each<[string, (file: Uint8Array) => Uint8Array, string]>([
  ['B-LT', (file) => file, 'B-LT'],
  ['B-LTA', archived, 'B-LTA'],
])(
  'a file of %s outlives the certificate of its signer without asking an authority',
  async (_, keep, level) => {
    const policy = await testPolicy({ at: parseInstant('2030-01-01'), revocation: 'required' })
    const report = await verified(keep(withAll(await stamped())), policy)
    expect(report).toMatchObject({
      verdict: 'VALID',
      first: { level, provenTime: '2026-11-20T15:00:00.000Z' },
    })
  },
)

test('a store that leads nowhere, in circles or to junk says nothing', async () => {
  for (const store of [
    '99 0 R',
    '[1 0 R]',
    '<</OCSPs 1 0 R/Certs[1 0 R 11 0 R]/VRI<</A 1 0 R>>>>',
  ]) {
    const seal = sealWithStamps(efirma, () => [])
    const report = await verified(await handSigned({ seal, catalog: `/DSS ${store}` }))
    expect(report).toMatchObject({ verdict: 'VALID', first: { level: 'B-B' } })
  }
})

/** The signed part of a response, without the unsigned wrapper. */
function basicOf(response: Uint8Array): Uint8Array {
  const [, wrapped] = sequenceOf(readDer(response))
  const [, octets] = sequenceOf(explicitContent(wrapped!))
  return octetsOf(octets)
}
