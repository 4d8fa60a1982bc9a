import { beforeAll, describe, expect, test } from 'vitest'
import {
  basicConstraints,
  type CertificateRequest,
  extension,
  keyUsage,
  mintCertificate,
} from '#server/demo/certificate-minting.ts'
import { type KeyPair, newKeyPair } from '#server/demo/certification-authority.ts'
import { DerError } from '#server/domain/asn1/der.ts'
import {
  element,
  explicit,
  generalizedTime,
  implicit,
  integer,
  nullValue,
  octetString,
  sequence,
} from '#server/domain/asn1/der-writer.ts'
import { readCertificateList } from '#server/domain/revocation/certificate-list.ts'
import { days, instantOf, after as later, parseInstant } from '#server/domain/time.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import {
  judged,
  listAnswer,
  mintAuthority,
  type RevocationCast,
  revocationCast,
  serialOf,
} from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'

let cast: RevocationCast
beforeAll(async () => {
  cast = await revocationCast()
}, 60_000)

const earlier = (wait: number) => instantOf(TEST_NOW - wait)
const signedAt = parseInstant('2025-03-01T18:00:00Z')
const revokedAt = parseInstant('2025-06-01T12:00:00Z')
const reason = (code: number, isCritical = false) =>
  extension('2.5.29.21', element(0x0a, Uint8Array.of(code)), isCritical)
const entryOf = (certificate: Certificate, extensions: readonly Uint8Array[] = []) => ({
  serial: serialOf(certificate),
  at: revokedAt,
  extensions,
})

describe('a list of the authority', () => {
  test('without the certificate', async () => {
    const other = await testEfirma()
    const crls = [listAnswer(cast, { entries: [entryOf(other.certificate)] })]
    for (const one of [crls, [listAnswer(cast)]])
      expect(judged(cast, { crls: one })).toEqual({
        status: 'good',
        source: 'crl',
        checkedAt: TEST_NOW,
        revokedAt: null,
        reason: null,
      })
  })

  test('with the certificate', () => {
    const crls = [listAnswer(cast, { entries: [entryOf(cast.leaf, [reason(1)])] })]
    expect(judged(cast, { crls })).toMatchObject({
      status: 'revoked',
      source: 'crl',
      revokedAt,
      reason: 'keyCompromise',
    })
    expect(judged(cast, { crls }, { at: signedAt })).toMatchObject({ status: 'good', revokedAt })
  })

  test('with the certificate among thousands', () => {
    const others = Array.from({ length: 20_000 }, (_, index) => ({
      serial: Uint8Array.of(1, index >> 8, index & 0xff),
      at: revokedAt,
      extensions: index % 2 ? [reason(4)] : [],
    }))
    const crls = [listAnswer(cast, { entries: [...others, entryOf(cast.leaf)] })]
    expect(judged(cast, { crls })).toMatchObject({ status: 'revoked', reason: null })
  })

  test('twice: the earlier counts', () => {
    const later = { ...entryOf(cast.leaf), at: parseInstant('2026-01-01') }
    const crls = [listAnswer(cast, { entries: [later, entryOf(cast.leaf)] })]
    expect(judged(cast, { crls }).revokedAt).toBe(revokedAt)
  })

  test.each([
    ['over', earlier(days(30)), earlier(days(20)), 'stale'],
    ['of tomorrow', later(TEST_NOW, days(1)), later(TEST_NOW, days(8)), 'from-the-future'],
    ['without an end, of the day before', earlier(days(1)), undefined, 'stale'],
  ])('%s', (_, thisUpdate, nextUpdate, why) => {
    const crls = [listAnswer(cast, { thisUpdate, nextUpdate })]
    expect(judged(cast, { crls }).why).toBe(why)
  })

  test('made after the certificate expired: only of authorities that remember', async () => {
    const { certificate } = await testEfirma({ notAfter: parseInstant('2025-12-31') })
    const question = { certificate, at: signedAt }
    const crls = [listAnswer(cast)]
    expect(judged(cast, { crls }, question).why).toBe('expired-certificates-forgotten')
    const remembers = [extension('2.5.29.60', generalizedTime(parseInstant('2020-01-01')))]
    expect(
      judged(cast, { crls: [listAnswer(cast, { extensions: remembers })] }, question),
    ).toMatchObject({ status: 'good' })
  })
})

describe('issuer of a list', () => {
  test('not of an issuer with another name', () => {
    const list = listAnswer(cast, { issuer: cast.root, issuerKey: cast.rootKey })
    expect(judged(cast, { crls: [list] }).why).toBe('no-answer')
  })

  test('not of an issuer with the same name and another key', () => {
    const list = listAnswer(cast, { issuerKey: cast.leafKey })
    expect(judged(cast, { crls: [list] }).why).toBe('bad-signature')
  })

  test('signed by a CRL key of the same authority, certified by its issuer', async () => {
    const keys = await newKeyPair()
    const forLists = (octet: number) =>
      mintAuthority({
        subject: cast.issuing.subject.bytes,
        issuer: cast.root,
        issuerKey: cast.rootKey,
        publicKey: keys.publicKey,
        extensions: [basicConstraints({ isAuthority: true }), keyUsage(octet, 1)],
      })
    const crls = [listAnswer(cast, { issuerKey: keys.privateKey })]
    const question = { candidates: [forLists(0x02)], parent: cast.root }
    expect(judged(cast, { crls }, question).status).toBe('good')
    expect(judged(cast, { crls }, { candidates: [forLists(0x02)] }).why).toBe('bad-signature')
    // keyCertSign is not cRLSign.
    const wrongUse = { candidates: [forLists(0x04)], parent: cast.root }
    expect(judged(cast, { crls }, wrongUse).why).toBe('bad-signature')
  })

  const certifiedForLists = ({ publicKey }: KeyPair, changes: Partial<CertificateRequest>) =>
    readCertificate(
      mintCertificate({
        ...{ serial: '01', issuer: cast.root.subject.bytes, subject: cast.issuing.subject.bytes },
        publicKey,
        ...{ notBefore: parseInstant('2024-02-01'), notAfter: parseInstant('2032-01-01') },
        extensions: [basicConstraints({ isAuthority: true }), keyUsage(0x02, 1)],
        issuerKey: cast.rootKey,
        ...changes,
      }),
    )

  test('signed by a CRL key whose certificate has ended: it says nothing about later', async () => {
    const keys = await newKeyPair()
    const ended = certifiedForLists(keys, { notAfter: parseInstant('2025-06-01') })
    const thisUpdate = parseInstant('2025-05-01')
    const nextUpdate = parseInstant('2030-01-01')
    const crls = [listAnswer(cast, { issuerKey: keys.privateKey, thisUpdate, nextUpdate })]
    const question = { candidates: [ended], parent: cast.root }
    const then = { ...question, at: parseInstant('2025-05-20') }
    expect(judged(cast, { crls }, then).status).toBe('good')
    expect(judged(cast, { crls }, question).why).toBe('stale')
  })

  test('signed by a CRL key that was certified with a weak algorithm: it can revoke, and says nothing good', async () => {
    const keys = await newKeyPair()
    const certified = certifiedForLists(keys, { digest: 'sha1' })
    const question = { candidates: [certified], parent: cast.root }
    const list = (entries: Parameters<typeof listAnswer>[1] = {}) => ({
      crls: [listAnswer(cast, { issuerKey: keys.privateKey, ...entries })],
    })
    expect(judged(cast, list(), question).why).toBe('weak-algorithm')
    const revoking = list({ entries: [entryOf(cast.leaf)] })
    expect(judged(cast, revoking, question).status).toBe('revoked')
  })

  test('signed by a CRL key with several certificates: the best counts, in any order', async () => {
    const keys = await newKeyPair()
    const thisUpdate = parseInstant('2025-05-01')
    const nextUpdate = parseInstant('2030-01-01')
    const crls = [listAnswer(cast, { issuerKey: keys.privateKey, thisUpdate, nextUpdate })]
    const renewed = certifiedForLists(keys, {})
    const [end, late] = [parseInstant('2025-06-01'), parseInstant('2033-01-01')]
    for (const other of [
      certifiedForLists(keys, { notAfter: end }),
      certifiedForLists(keys, { digest: 'sha1' }),
      certifiedForLists(keys, { digest: 'sha1', notAfter: late }),
    ])
      for (const candidates of [
        [other, renewed],
        [renewed, other],
      ])
        expect(judged(cast, { crls }, { candidates, parent: cast.root }).status).toBe('good')
  })

  test('not of an authority that may not sign lists', () => {
    const issuing = mintAuthority({
      subject: cast.issuing.subject.bytes,
      issuer: cast.root,
      issuerKey: cast.rootKey,
      publicKeyOf: cast.issuing,
      extensions: [basicConstraints({ isAuthority: true }), keyUsage(0x04, 2)],
    })
    const crls = [listAnswer(cast)]
    expect(judged(cast, { crls }, { issuer: issuing }).status).toBe('unknown')
  })

  test('not when its algorithm differs inside and outside of the signed part', () => {
    const answer = listAnswer(cast)
    const der = Uint8Array.from(answer.der)
    // The NULL of the outer algorithm becomes a parameter that says something.
    const outer = der.lastIndexOf(0x05, der.length - 262)
    der[outer] = 0x04
    expect(judged(cast, { crls: [{ ...answer, der }] }).why).toBe('bad-signature')
  })
})

describe('lists of a part', () => {
  const point = (...fields: Uint8Array[]) => extension('2.5.29.28', sequence(...fields), true)
  const fullName = (uri: string) =>
    explicit(0, explicit(0, implicit(6, Buffer.from(uri, 'latin1'))))
  const only = (number: number) => implicit(number, Uint8Array.of(0xff))

  test.each([
    ['for users', () => point(only(1)), 'good'],
    ['for authorities', () => point(only(2)), 'unknown'],
    ['for some reasons', () => point(element(0x83, Uint8Array.of(5, 0x40))), 'unknown'],
    ['of several issuers', () => point(only(4)), 'unknown'],
    ['for attributes', () => point(only(5)), 'unknown'],
    ['for users and for authorities, which none is', () => point(only(1), only(2)), 'unknown'],
    [
      'of a partition that the certificate does not name',
      () => point(fullName('http://a/1')),
      'unknown',
    ],
    [
      'of a partition named as the authority',
      () => point(explicit(0, explicit(0, explicit(4, cast.issuing.subject.bytes)))),
      'good',
    ],
    ['with an unknown critical extension', () => extension('1.2.3', nullValue(), true), 'unknown'],
    ['with an unknown non-critical extension', () => extension('1.2.3', nullValue()), 'good'],
    ['of changes alone', () => extension('2.5.29.27', integer(1), true), 'unknown'],
  ])('%s', (_, extensionOf, status) => {
    const crls = [listAnswer(cast, { extensions: [extensionOf()] })]
    const judgement = judged(cast, { crls })
    expect(judgement.status).toBe(status)
    if (status === 'unknown') expect(judgement.why).toBe('not-applicable')
  })

  test('of the partition named by the certificate', () => {
    const points = sequence(sequence(fullName('http://a/1')), sequence(fullName('http://a/2')))
    const certificate = mintAuthority({
      subject: cast.leaf.subject.bytes,
      issuer: cast.issuing,
      issuerKey: cast.issuingKey,
      publicKeyOf: cast.leaf,
      extensions: [extension('2.5.29.31', points)],
    })
    const listOf = (uri: string) => [listAnswer(cast, { extensions: [point(fullName(uri))] })]
    expect(judged(cast, { crls: listOf('http://a/2') }, { certificate }).status).toBe('good')
    expect(judged(cast, { crls: listOf('http://a/3') }, { certificate }).status).toBe('unknown')
  })

  test('a certificate in a partial list is revoked', () => {
    for (const extensions of [
      [extension('2.5.29.27', integer(1), true)],
      [point(fullName('http://elsewhere/'))],
      [point(element(0x83, Uint8Array.of(5, 0x40)))],
    ]) {
      const crls = [listAnswer(cast, { extensions, entries: [entryOf(cast.leaf)] })]
      expect(judged(cast, { crls }).status).toBe('revoked')
    }
  })

  test('a list of changes that takes a hold away says nothing by itself', () => {
    const entries = [entryOf(cast.leaf, [reason(8)])]
    const delta = listAnswer(cast, {
      extensions: [extension('2.5.29.27', integer(1), true)],
      entries,
    })
    expect(judged(cast, { crls: [delta] }).why).toBe('not-applicable')
    const hold = listAnswer(cast, { entries: [entryOf(cast.leaf, [reason(6)])] })
    expect(judged(cast, { crls: [hold, delta] }).status).toBe('revoked')
  })
})

describe('entries', () => {
  test('one unknown critical entry extension makes the whole list unusable', async () => {
    const other = await testEfirma()
    const odd = entryOf(other.certificate, [extension('1.2.3', nullValue(), true)])
    const crls = [listAnswer(cast, { entries: [odd] })]
    expect(judged(cast, { crls }).why).toBe('not-applicable')
  })

  test('an unknown critical extension of another issuer’s entry does too', () => {
    const issuer = extension('2.5.29.29', sequence(explicit(4, cast.root.subject.bytes)), true)
    const crls = [listAnswer(cast, { entries: [entryOf(cast.leaf, [issuer])] })]
    expect(judged(cast, { crls }).why).toBe('not-applicable')
  })

  test('a number without the zero in front is the same number', async () => {
    const { certificate } = await testEfirma()
    const bytes = Uint8Array.of(0, ...serialOf(certificate))
    const crls = [listAnswer(cast, { entries: [{ serial: bytes, at: revokedAt }] })]
    expect(judged(cast, { crls }, { certificate }).status).toBe('revoked')
  })

  test.each([
    ['a reason that does not exist', () => reason(7)],
    ['a reason that is none', () => extension('2.5.29.21', nullValue())],
    ['a reason without any value', () => extension('2.5.29.21', new Uint8Array())],
    ['a date of invalidity that is none', () => extension('2.5.29.24', integer(1))],
  ])('%s leaves the certificate revoked', (_, entryExtension) => {
    const crls = [listAnswer(cast, { entries: [entryOf(cast.leaf, [entryExtension()])] })]
    expect(judged(cast, { crls })).toMatchObject({ status: 'revoked', revokedAt, reason: null })
  })
})

test.each([
  ['nothing', new Uint8Array()],
  ['a number', integer(1)],
  ['an empty sequence', sequence()],
  ['text', octetString(Buffer.from('-----BEGIN X509 CRL-----'))],
])('%s is no list', (_, bytes) => {
  expect(() => readCertificateList(bytes)).toThrow(DerError)
})

test('a certificate is no list', () => {
  expect(() => readCertificateList(cast.leaf.der)).toThrow(DerError)
})
