import { beforeAll, describe, expect, test } from 'vitest'
import { extension } from '#server/demo/certificate-minting.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { type MintedSingle, mintOcspRefusal } from '#server/demo/revocation-minting.ts'
import { generalizedTime, nullValue } from '#server/domain/asn1/der-writer.ts'
import { readOcspResponse } from '#server/domain/revocation/ocsp-response.ts'
import {
  days,
  hours,
  instantOf,
  after as later,
  minutes,
  parseInstant,
} from '#server/domain/time.ts'
import {
  idOf,
  judged,
  listAnswer,
  mintResponder,
  ocspAnswer,
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

describe('authorized responders', () => {
  test('a responder that the authority delegated', () => {
    expect(judged(cast, { ocsp: [ocspAnswer(cast)] })).toEqual({
      status: 'good',
      source: 'ocsp',
      checkedAt: TEST_NOW,
      revokedAt: null,
      reason: null,
    })
  })

  test('the authority itself, by hash of its key or by name', () => {
    const itself = { responder: cast.issuing, responderKey: cast.issuingKey, certificates: [] }
    for (const isNamedBySubject of [true, false]) {
      const answer = ocspAnswer(cast, {}, { ...itself, isNamedBySubject })
      expect(judged(cast, { ocsp: [answer] }).status).toBe('good')
    }
  })

  test('a responder whose certificate did not come along but is at hand', () => {
    const answer = ocspAnswer(cast, {}, { certificates: [], isNamedBySubject: true })
    expect(judged(cast, { ocsp: [answer] }).why).toBe('unauthorized-responder')
    const candidates = [cast.responder]
    expect(judged(cast, { ocsp: [answer] }, { candidates }).status).toBe('good')
  })

  test.each([
    ['without the purpose', { purposes: ['1.3.6.1.5.5.7.3.4'] }],
    ['without any purpose', { purposes: [] }],
    ['for any purpose, which is not this one', { purposes: ['2.5.29.37.0'] }],
    ['whose delegation was over', { notAfter: parseInstant('2026-11-01') }],
    ['whose delegation had not begun', { notBefore: parseInstant('2026-12-01') }],
    [
      'with an unknown critical response extension',
      { extensions: [extension('1.2.3.4', nullValue(), true)] },
    ],
  ])('not a responder %s', (_, options) => {
    const responder = mintResponder({
      issuer: cast.issuing,
      issuerKey: cast.issuingKey,
      publicKey: cast.responderKeys.publicKey,
      ...options,
    })
    const answer = ocspAnswer(cast, {}, { responder, certificates: [responder] })
    expect(judged(cast, { ocsp: [answer] })).toMatchObject({
      status: 'unknown',
      why: 'unauthorized-responder',
    })
  })

  test('not for a time after the end of its delegation, whatever it says about itself', () => {
    const notAfter = parseInstant('2025-06-01')
    const responder = mintResponder({
      issuer: cast.issuing,
      issuerKey: cast.issuingKey,
      publicKey: cast.responderKeys.publicKey,
      notAfter,
    })
    const producedAt = parseInstant('2025-05-01')
    const nextUpdate = parseInstant('2030-01-01')
    const answer = (thisUpdate: typeof producedAt, status: MintedSingle['status'] = 'good') => [
      ocspAnswer(
        cast,
        { thisUpdate, nextUpdate, status },
        { producedAt, responder, certificates: [responder] },
      ),
    ]
    const before = { at: parseInstant('2025-05-20') }
    expect(judged(cast, { ocsp: answer(producedAt) }, before).status).toBe('good')
    expect(judged(cast, { ocsp: answer(producedAt) }).why).toBe('stale')
    expect(judged(cast, { ocsp: answer(TEST_NOW) }).why).toBe('unauthorized-responder')
    const revoked = { at: parseInstant('2025-04-01') }
    expect(judged(cast, { ocsp: answer(producedAt, revoked) }).status).toBe('revoked')
    const decided = { responders: [responder] }
    expect(judged(cast, { ocsp: answer(producedAt) }, decided).why).toBe('stale')
  })

  test('until the latest end of its delegations, in any order of the certificates', () => {
    const responderUntil = (text: string) =>
      mintResponder({
        issuer: cast.issuing,
        issuerKey: cast.issuingKey,
        publicKey: cast.responderKeys.publicKey,
        notAfter: parseInstant(text),
      })
    const [ended, renewed] = [responderUntil('2025-06-01'), responderUntil('2032-01-01')]
    const thisUpdate = parseInstant('2025-05-01')
    const single = { thisUpdate, nextUpdate: parseInstant('2030-01-01') }
    for (const certificates of [
      [ended, renewed],
      [renewed, ended],
    ]) {
      const ocsp = [ocspAnswer(cast, single, { responder: ended, certificates })]
      expect(judged(cast, { ocsp }).status).toBe('good')
    }
  })

  test('not a responder that another authority delegated, be it the one above', () => {
    const { root: issuer, rootKey: issuerKey, responderKeys } = cast
    const responder = mintResponder({ issuer, issuerKey, publicKey: responderKeys.publicKey })
    const answer = ocspAnswer(cast, {}, { responder, certificates: [responder] })
    expect(judged(cast, { ocsp: [answer] }).why).toBe('unauthorized-responder')
  })

  test('unless the office decided that this very one may', () => {
    const { root: issuer, rootKey: issuerKey, responderKeys } = cast
    const responder = mintResponder({ issuer, issuerKey, publicKey: responderKeys.publicKey })
    const ocsp = [ocspAnswer(cast, {}, { responder, certificates: [] })]
    expect(judged(cast, { ocsp }, { responders: [responder] }).status).toBe('good')
    const namesake = mintResponder({
      issuer,
      issuerKey,
      publicKey: responderKeys.publicKey,
      notAfter: parseInstant('2026-11-01'),
    })
    const others = { responders: [namesake] }
    expect(judged(cast, { ocsp }, others).why).toBe('unauthorized-responder')
  })

  test('not one that signed its own delegation in the name of the authority', async () => {
    const { publicKey, privateKey } = await newKeyPair()
    const responder = mintResponder({ issuer: cast.issuing, issuerKey: privateKey, publicKey })
    const answer = ocspAnswer(
      cast,
      {},
      { responder, responderKey: privateKey, certificates: [responder] },
    )
    expect(judged(cast, { ocsp: [answer] }).why).toBe('unauthorized-responder')
  })

  test('not the certificate about itself', async () => {
    const { issuing: issuer, issuingKey: issuerKey } = cast
    const { publicKey, privateKey } = await newKeyPair()
    const itself = mintResponder({ issuer, issuerKey, publicKey })
    const answer = ocspAnswer(
      cast,
      { id: idOf(itself, issuer) },
      { responder: itself, responderKey: privateKey, certificates: [itself] },
    )
    const question = { certificate: itself }
    expect(judged(cast, { ocsp: [answer] }, question).why).toBe('unauthorized-responder')
  })

  test('not a responder of which the authority itself answers that it was revoked', () => {
    const about = { id: idOf(cast.responder, cast.issuing), status: { at: earlier(days(3)) } }
    const itself = { responder: cast.issuing, responderKey: cast.issuingKey, certificates: [] }
    const word = ocspAnswer(cast, about, itself)
    expect(judged(cast, { ocsp: [ocspAnswer(cast), word] }).why).toBe('unauthorized-responder')
    const good = ocspAnswer(cast, { ...about, status: 'good' }, itself)
    const ofNobody = ocspAnswer(cast, about, { ...itself, responderKey: cast.leafKey })
    const byItself = ocspAnswer(cast, about)
    for (const other of [good, ofNobody, byItself])
      expect(judged(cast, { ocsp: [ocspAnswer(cast), other] }).status).toBe('good')
  })

  test('not a responder whose delegation was revoked, unless the authority asks not to look', () => {
    const crls = [
      listAnswer(cast, { entries: [{ serial: serialOf(cast.responder), at: earlier(days(3)) }] }),
    ]
    const ocsp = [ocspAnswer(cast)]
    const withoutLists = judged(cast, { ocsp, crls: [] })
    expect(withoutLists.status).toBe('good')
    // The list says by itself that the e.firma stands.
    expect(judged(cast, { ocsp, crls })).toMatchObject({ status: 'good', source: 'crl' })
    const revoked = ocspAnswer(cast, { status: { at: earlier(days(1)) } })
    expect(judged(cast, { ocsp: [revoked], crls }).status).toBe('good')
    const responder = mintResponder({
      issuer: cast.issuing,
      issuerKey: cast.issuingKey,
      publicKey: cast.responderKeys.publicKey,
      extensions: [extension('1.3.6.1.5.5.7.48.1.5', nullValue())],
    })
    const exempt = ocspAnswer(
      cast,
      { status: { at: earlier(days(1)) } },
      { responder, certificates: [responder] },
    )
    expect(judged(cast, { ocsp: [exempt], crls }).status).toBe('revoked')
  })

  test('a signature by another key in the name of a responder is invalid', () => {
    const answer = ocspAnswer(cast, {}, { responderKey: cast.leafKey })
    expect(judged(cast, { ocsp: [answer] }).why).toBe('bad-signature')
  })
})

describe('about which certificate', () => {
  test('not about another one of the same authority', async () => {
    const other = await testEfirma()
    const id = idOf(other.certificate, cast.issuing)
    expect(judged(cast, { ocsp: [ocspAnswer(cast, { id })] }).why).toBe('no-answer')
  })

  test('not about the same number of another authority', () => {
    const id = idOf(cast.leaf, cast.root)
    expect(judged(cast, { ocsp: [ocspAnswer(cast, { id })] }).why).toBe('no-answer')
  })

  test('a certificate of another issuer gets no finding', () => {
    const question = { issuer: cast.root }
    expect(judged(cast, { ocsp: [ocspAnswer(cast)] }, question).why).toBe('no-answer')
  })

  test('two statuses in one answer: the worse one counts', () => {
    const good = {
      id: idOf(cast.leaf, cast.issuing),
      status: 'good',
      thisUpdate: TEST_NOW,
    } as const
    const singles = [good, { ...good, status: { at: earlier(hours(1)) } }]
    expect(judged(cast, { ocsp: [ocspAnswer(cast, {}, { singles })] }).status).toBe('revoked')
  })
})

describe('revoked', () => {
  const revokedAt = parseInstant('2025-06-01T12:00:00Z')
  const ocsp = () => [ocspAnswer(cast, { status: { at: revokedAt, reason: 1 } })]

  test('before the time of the question', () => {
    expect(judged(cast, { ocsp: ocsp() })).toEqual({
      status: 'revoked',
      source: 'ocsp',
      checkedAt: TEST_NOW,
      revokedAt,
      reason: 'keyCompromise',
    })
  })

  test('at that very instant', () => {
    expect(judged(cast, { ocsp: ocsp() }, { at: revokedAt }).status).toBe('revoked')
  })

  test('after it: good at that time, and said', () => {
    expect(judged(cast, { ocsp: ocsp() }, { at: signedAt })).toEqual({
      status: 'good',
      source: 'ocsp',
      checkedAt: TEST_NOW,
      revokedAt,
      reason: 'keyCompromise',
    })
  })

  test('with an earlier date since when the key is not trusted', () => {
    const extensions = [extension('2.5.29.24', generalizedTime(parseInstant('2025-02-01')))]
    const answer = ocspAnswer(cast, { status: { at: revokedAt }, extensions })
    expect(judged(cast, { ocsp: [answer] }, { at: signedAt })).toMatchObject({
      status: 'revoked',
      revokedAt: parseInstant('2025-02-01'),
    })
  })

  test('for a reason that does not exist, as for any other', () => {
    const answer = ocspAnswer(cast, { status: { at: revokedAt, reason: 7 } })
    expect(judged(cast, { ocsp: [answer] })).toMatchObject({ status: 'revoked', reason: null })
  })

  test('outweighs any good answer, older or newer', () => {
    const old = ocspAnswer(cast, { thisUpdate: parseInstant('2025-07-01') })
    const fresh = ocspAnswer(cast)
    const revoked = ocspAnswer(cast, {
      status: { at: revokedAt },
      thisUpdate: parseInstant('2025-08-01'),
    })
    expect(judged(cast, { ocsp: [fresh, revoked, old] }).status).toBe('revoked')
  })

  test.each([
    ['a stolen key, then no particular reason', 1, 0, 'keyCompromise'],
    ['a stolen key, then no reason', 1, undefined, 'keyCompromise'],
    ['replaced, then a stolen key', 4, 1, 'keyCompromise'],
    ['a privilege withdrawn, then the end of work', 9, 5, 'privilegeWithdrawn'],
    ['on hold, then replaced', 6, 4, 'superseded'],
    ['on hold, then a stolen key', 6, 1, 'keyCompromise'],
    ['on hold, then no particular reason', 6, 0, 'certificateHold'],
    ['replaced, then no reason', 4, undefined, 'superseded'],
    ['no reason, then a reason that does not exist', undefined, 7, null],
  ])('for the gravest reason that any answer gives: %s', (_, first, second, gravest) => {
    const word = (reason: number | undefined, thisUpdate: typeof TEST_NOW) =>
      ocspAnswer(cast, {
        status: { at: revokedAt, ...(reason !== undefined && { reason }) },
        thisUpdate,
      })
    for (const [older, newer] of [
      [first, second],
      [second, first],
    ]) {
      const answers = [word(older, parseInstant('2025-08-01')), word(newer, TEST_NOW)]
      for (const ocsp of [answers, answers.toReversed()])
        expect(judged(cast, { ocsp })).toMatchObject({ status: 'revoked', reason: gravest })
    }
  })

  test('since the earliest date, from the answer that states it, whatever other answers say', () => {
    const replaced = {
      ...ocspAnswer(cast, {
        status: { at: revokedAt, reason: 4 },
        thisUpdate: parseInstant('2025-08-01'),
      }),
      source: 'embedded',
    } as const
    const stolenLater = ocspAnswer(cast, {
      status: { at: parseInstant('2025-09-01'), reason: 1 },
    })
    for (const ocsp of [
      [replaced, stolenLater],
      [stolenLater, replaced],
    ])
      expect(judged(cast, { ocsp })).toEqual({
        status: 'revoked',
        source: 'embedded',
        checkedAt: parseInstant('2025-08-01'),
        revokedAt,
        reason: 'keyCompromise',
      })
  })

  test('is not over when the answer is', () => {
    const answer = ocspAnswer(cast, { status: { at: revokedAt }, thisUpdate: revokedAt })
    expect(judged(cast, { ocsp: [answer] }).status).toBe('revoked')
  })
})

test('a file full of answers does not push out the one that we asked for', () => {
  const old = ocspAnswer(cast, { thisUpdate: TEST_NOW })
  const embedded = Array.from({ length: 1000 }, () => ({ ...old, source: 'embedded' as const }))
  const revoked = ocspAnswer(cast, { status: { at: earlier(days(1)) } })
  expect(judged(cast, { ocsp: [...embedded, revoked] }).status).toBe('revoked')
})

describe('on hold', () => {
  const heldAt = parseInstant('2026-02-01')
  const hold = () =>
    ocspAnswer(cast, {
      status: { at: heldAt, reason: 6 },
      thisUpdate: parseInstant('2026-02-02'),
    })

  test('until an answer says otherwise', () => {
    expect(judged(cast, { ocsp: [hold()] })).toMatchObject({
      status: 'revoked',
      reason: 'certificateHold',
    })
  })

  test('also when very many answers say otherwise', () => {
    const id = idOf(cast.leaf, cast.issuing)
    const good = { id, status: 'good' as const, thisUpdate: parseInstant('2026-03-01') }
    const singles = Array.from({ length: 3000 }, () => good)
    const many = ocspAnswer(cast, {}, { singles })
    const ocsp = Array.from({ length: 45 }, () => many)
    expect(judged(cast, { ocsp: [hold(), ...ocsp] }, { at: heldAt }).status).toBe('revoked')
  })

  test('no more when it was lifted, but then', () => {
    const ocsp = [hold(), ocspAnswer(cast, { thisUpdate: parseInstant('2026-03-01') })]
    const fresh = ocspAnswer(cast)
    expect(judged(cast, { ocsp: [...ocsp, fresh] }).status).toBe('good')
    const then = { at: parseInstant('2026-02-15') }
    expect(judged(cast, { ocsp: [...ocsp, fresh] }, then).status).toBe('revoked')
  })

  test('also when the certificate has expired and a list forgets it', async () => {
    const { certificate } = await testEfirma({ notAfter: parseInstant('2026-06-30') })
    const id = idOf(certificate, cast.issuing)
    const status = { at: heldAt, reason: 6 }
    const held = ocspAnswer(cast, { id, status, thisUpdate: parseInstant('2026-02-02') })
    const listWith = (...extensions: Uint8Array[]) => ({
      ocsp: [held],
      crls: [listAnswer(cast, { extensions })],
    })
    expect(judged(cast, listWith(), { certificate })).toMatchObject({
      status: 'revoked',
      reason: 'certificateHold',
    })
    const remembers = extension('2.5.29.60', generalizedTime(parseInstant('2020-01-01')))
    expect(judged(cast, listWith(remembers), { certificate }).status).toBe('good')
  })
})

describe('the time of an answer', () => {
  test.each([
    ['made after the proven time', TEST_NOW, signedAt, 'good', undefined],
    ['made a little before, over since', earlier(minutes(5)), TEST_NOW, 'good', undefined],
    ['long over', earlier(days(2)), TEST_NOW, 'unknown', 'stale'],
    ['of tomorrow', later(TEST_NOW, days(1)), TEST_NOW, 'unknown', 'from-the-future'],
    ['of a clock that is ahead a little', later(TEST_NOW, minutes(2)), TEST_NOW, 'good', undefined],
  ] as const)('%s', (_, thisUpdate, at, status, why) => {
    const judgement = judged(cast, { ocsp: [ocspAnswer(cast, { thisUpdate })] }, { at })
    expect([judgement.status, judgement.why]).toEqual([status, why])
  })

  test('the policy says how long an answer that is over still counts', () => {
    const ocsp = [ocspAnswer(cast, { thisUpdate: earlier(minutes(5)) })]
    expect(judged(cast, { ocsp }, { tolerance: minutes(2) }).why).toBe('stale')
  })

  test('an answer that is not over counts however old it is', () => {
    const answer = ocspAnswer(cast, {
      thisUpdate: earlier(days(5)),
      nextUpdate: later(TEST_NOW, days(1)),
    })
    expect(judged(cast, { ocsp: [answer] }).status).toBe('good')
  })

  test('the newest good answer is the one that is named', () => {
    const embedded = {
      ...ocspAnswer(cast, { thisUpdate: later(signedAt, hours(1)) }),
      source: 'embedded' as const,
    }
    const question = { at: signedAt }
    expect(judged(cast, { ocsp: [embedded] }, question)).toMatchObject({
      source: 'embedded',
      checkedAt: later(signedAt, hours(1)),
    })
    expect(judged(cast, { ocsp: [embedded, ocspAnswer(cast)] }, question).source).toBe('ocsp')
  })

  test('made after the certificate expired: only of authorities that remember', async () => {
    const { certificate } = await testEfirma({ notAfter: parseInstant('2025-12-31') })
    const id = idOf(certificate, cast.issuing)
    const question = { certificate, at: signedAt }
    const forgetful = ocspAnswer(cast, { id })
    expect(judged(cast, { ocsp: [forgetful] }, question).why).toBe('expired-certificates-forgotten')
    const since = (text: string) => [
      extension('1.3.6.1.5.5.7.48.1.6', generalizedTime(parseInstant(text))),
    ]
    const remembers = ocspAnswer(cast, { id, extensions: since('2020-01-01') })
    expect(judged(cast, { ocsp: [remembers] }, question).status).toBe('good')
    const unreadable = ocspAnswer(cast, {
      id,
      extensions: [extension('1.3.6.1.5.5.7.48.1.6', nullValue())],
    })
    expect(judged(cast, { ocsp: [unreadable] }, question).why).toBe(
      'expired-certificates-forgotten',
    )
    const tooLate = ocspAnswer(cast, { id, extensions: since('2026-01-01') })
    expect(judged(cast, { ocsp: [tooLate] }, question).status).toBe('unknown')
  })
})

describe('answers that say nothing', () => {
  test.each([
    [3, 'try-later'],
    [2, 'try-later'],
    [1, 'refused'],
    [5, 'refused'],
    [6, 'refused'],
  ])('status %i is %s', (status, why) => {
    const answer = { der: mintOcspRefusal(status), source: 'fetched' } as const
    expect(judged(cast, { ocsp: [answer] })).toEqual({
      status: 'unknown',
      source: null,
      checkedAt: null,
      revokedAt: null,
      reason: null,
      why,
    })
  })

  test('a success without an answer is none', () => {
    for (const status of [0, 4])
      expect(() => readOcspResponse(mintOcspRefusal(status))).toThrow(
        `OCSP status ${status} without an answer`,
      )
  })

  test('unknown to the responder', () => {
    const answer = ocspAnswer(cast, { status: 'unknown' })
    expect(judged(cast, { ocsp: [answer] }).why).toBe('unknown-to-responder')
  })

  test('with an unknown critical extension of the list or of an entry', () => {
    const extensions = [extension('1.2.3.4', nullValue(), true)]
    const [whole, one] = [ocspAnswer(cast, {}, { extensions }), ocspAnswer(cast, { extensions })]
    expect(judged(cast, { ocsp: [whole] }).why).toBe('not-applicable')
    expect(judged(cast, { ocsp: [one] }).why).toBe('not-applicable')
  })

  test('no answer at all', () => {
    expect(judged(cast, {})).toMatchObject({ status: 'unknown', why: 'no-answer' })
  })
})
