import { expect, test, vi } from 'vitest'
import {
  basicConstraints,
  keyUsage,
  mintCertificate,
  nameOf,
} from '#server/demo/certificate-minting.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { utf8String } from '#server/domain/asn1/der-writer.ts'
import type { RevocationAnswer } from '#server/domain/revocation/revocation-values.ts'
import { days, instantOf, parseInstant } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import {
  idOf,
  judged,
  listAnswer,
  mintResponder,
  ocspAnswer,
  revocationCast,
} from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

/* A file may bring hundreds of answers. Work is counted, not timed: how busy the machine is does not matter. */

const work = vi.hoisted(() => ({ checks: 0, digests: 0, comparisons: 0, octets: 0 }))

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>()
  const verify = (...input: Parameters<typeof real.verify>) => {
    work.checks++
    return real.verify(...input)
  }
  const createHash = (...input: Parameters<typeof real.createHash>) => {
    work.digests++
    return real.createHash(...input)
  }
  return { ...real, verify, createHash }
})

vi.mock('#server/domain/asn1/der-values.ts', async (original) => {
  const real = await original<typeof import('#server/domain/asn1/der-values.ts')>()
  const areEqual: typeof real.areEqual = (...input) => {
    work.comparisons++
    const [{ length }, other] = input
    if (length === other.length) work.octets += length
    return real.areEqual(...input)
  }
  return { ...real, areEqual }
})

/** The same answer again, in bytes of its own, as a file brings it. */
const copies = ({ der, source }: RevocationAnswer, count: number): RevocationAnswer[] =>
  Array.from({ length: count }, () => ({ der: Uint8Array.from(der), source }))

test('answers: a responder of many is looked up once, among as many that claim it was revoked', async () => {
  const cast = await revocationCast()
  const about = { id: idOf(cast.responder, cast.issuing), status: { at: TEST_NOW } }
  const itself = { responder: cast.issuing, certificates: [], responderKey: cast.leafKey }
  const checksFor = (count: number) => {
    const genuine = copies(ocspAnswer(cast), count)
    const junk = copies(ocspAnswer(cast, about, itself), count)
    work.checks = 0
    expect(judged(cast, { ocsp: [...genuine, ...junk] }).status).toBe('good')
    return work.checks
  }
  // The signature of each answer, and the delegation that each genuine one brings.
  expect(checksFor(20)).toBeLessThanOrEqual(20 * 3 + 1)
  expect(checksFor(200)).toBeLessThanOrEqual(200 * 3 + 1)
}, 60_000)

test('answers: certificates in the name of the responder are not compared with one another', async () => {
  const cast = await revocationCast()
  const { issuing: issuer, leafKey: issuerKey, responderKeys } = cast
  const namesakes = Array.from({ length: 100 }, (_, index) =>
    mintResponder({
      ...{ issuer, issuerKey, publicKey: responderKeys.publicKey },
      serial: String(100 + index),
    }),
  )
  const comparisonsFor = (candidates: typeof namesakes) => {
    work.comparisons = 0
    expect(judged(cast, { ocsp: [ocspAnswer(cast)] }, { candidates }).status).toBe('good')
    return work.comparisons
  }
  expect(comparisonsFor(namesakes)).toBeLessThan(comparisonsFor(namesakes.slice(0, 10)) * 10)
}, 60_000)

/** A certificate that is named like none of the cast. */
async function stranger(index: number, subject: Uint8Array, issuer = subject) {
  const { leafKey, responderKeys } = await revocationCast()
  return readCertificate(
    mintCertificate({
      ...{ serial: String(10_000 + index), issuer, subject, extensions: [] },
      publicKey: responderKeys.publicKey,
      notBefore: parseInstant('2024-02-01'),
      notAfter: parseInstant('2032-01-01'),
      issuerKey: leafKey,
    }),
  )
}

const longName = (index: number) =>
  nameOf([{ oid: '2.5.4.3', value: utf8String('x'.repeat(20_000) + String(1000 + index)) }])

test('answers: long names of responders are not compared octet by octet with those of all certificates', async () => {
  const cast = await revocationCast()
  const { leafKey: responderKey } = cast
  const octetsFor = async (count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => index)
    const candidates = await Promise.all(numbers.map((one) => stranger(one, longName(one))))
    const ocsp = await Promise.all(
      numbers.map(async (one) => {
        const responder = await stranger(one, longName(500 + one))
        return ocspAnswer(cast, {}, { responder, responderKey, isNamedBySubject: true })
      }),
    )
    work.octets = 0
    expect(judged(cast, { ocsp }, { candidates }).status).toBe('unknown')
    return work.octets
  }
  expect(await octetsFor(40)).toBeLessThanOrEqual(5 * (await octetsFor(10)))
}, 60_000)

test('answers: long certificates of others are not compared with those in the name of the responder', async () => {
  const cast = await revocationCast()
  const own = cast.responder.subject.bytes
  const other = nameOf([{ oid: '2.5.4.3', value: utf8String('Servicio OCSP de pruebo') }])
  const issuer = longName(1)
  const genuine = ocspAnswer(cast, {}, { isNamedBySubject: true })
  const octetsFor = async (count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => index)
    const candidates = await Promise.all(
      numbers.map((one) => stranger(one, one < 3 ? own : other, issuer)),
    )
    const ocsp = copies(genuine, count)
    work.octets = 0
    expect(judged(cast, { ocsp }, { candidates }).status).toBe('good')
    return work.octets
  }
  expect(await octetsFor(40)).toBeLessThanOrEqual(5 * (await octetsFor(10)))
}, 60_000)

test('answers: the key of each certificate is digested once, whatever the number of answers', async () => {
  const cast = await revocationCast()
  const candidates = await Promise.all(
    Array.from({ length: 50 }, (_, index) => stranger(index, longName(index))),
  )
  const by = { responder: cast.leaf, responderKey: cast.leafKey, certificates: [] }
  const digestsFor = (count: number) => {
    const ocsp = copies(ocspAnswer(cast, {}, by), count)
    work.digests = 0
    expect(judged(cast, { ocsp }, { candidates }).status).toBe('unknown')
    return work.digests
  }
  expect(digestsFor(20)).toBeLessThanOrEqual(60)
  expect(digestsFor(40)).toBeLessThanOrEqual(60)
}, 60_000)

test('answers: one about the same certificate thousands of times digests its issuer once', async () => {
  const cast = await revocationCast()
  const id = idOf(cast.leaf, cast.issuing)
  const singles = Array.from({ length: 2000 }, () => ({
    ...{ id, status: 'good' as const, thisUpdate: TEST_NOW },
  }))
  const ocsp = [ocspAnswer(cast, {}, { singles })]
  work.digests = 0
  expect(judged(cast, { ocsp }).status).toBe('good')
  expect(work.digests).toBeLessThan(20)
}, 60_000)

test('lists: each namesake of the authority is looked up once, whatever the number of lists', async () => {
  const cast = await revocationCast()
  const { publicKey } = await newKeyPair()
  const checksFor = (count: number) => {
    const namesakes = Array.from({ length: 20 }, (_, index) =>
      readCertificate(
        mintCertificate({
          serial: String(10 + index),
          issuer: cast.root.subject.bytes,
          subject: cast.issuing.subject.bytes,
          publicKey,
          notBefore: parseInstant('2024-02-01'),
          notAfter: parseInstant('2032-01-01'),
          extensions: [basicConstraints({ isAuthority: true }), keyUsage(0x02, 1)],
          issuerKey: cast.leafKey,
        }),
      ),
    )
    const crls = Array.from({ length: count }, (_, index) =>
      listAnswer(cast, { thisUpdate: instantOf(TEST_NOW - days(index)), issuerKey: cast.leafKey }),
    )
    work.checks = 0
    const question = { candidates: namesakes, parent: cast.root }
    expect(judged(cast, { crls }, question).why).toBe('bad-signature')
    return work.checks
  }
  // The signature of each list, and that of each namesake by the authority and by the one above it.
  expect(checksFor(2)).toBeLessThanOrEqual(2 + 20 * 2 + 1)
  expect(checksFor(40)).toBeLessThanOrEqual(40 + 20 * 2 + 1)
}, 60_000)
