import { createHash } from 'node:crypto'
import { DerError } from '#server/domain/asn1/der.ts'
import { areEqual } from '#server/domain/asn1/der-values.ts'
import { readSignedData } from '#server/domain/cms/signed-data.ts'
import { verifySigner } from '#server/domain/cms/verify-signer.ts'
import { readCertificateList } from '#server/domain/revocation/certificate-list.ts'
import { ocspRequest, readOcspRequest } from '#server/domain/revocation/ocsp-request.ts'
import { readOcspResponse } from '#server/domain/revocation/ocsp-response.ts'
import { days, instantOf } from '#server/domain/time.ts'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import { verifyTimeStamp } from '#server/domain/timestamp/verify-time-stamp.ts'
import { findPath } from '#server/domain/trust/path.ts'
import { judgeConstancia } from '#server/domain/verification/time/judge-constancia.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import {
  judged,
  listAnswer,
  ocspAnswer,
  type RevocationCast,
  revocationCast,
  serialOf,
} from '#tests/support/authorities/revocation-answers.ts'
import {
  TEST_NOW,
  testAnchor,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'
import {
  responseWith,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import { sealOf, testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { DER_MUTATIONS } from './der-mutations.ts'
import type { Origin, Reader } from './reader.ts'

const mutations = DER_MUTATIONS
const CONTENT = Buffer.from('lo que se firmó')
const digest = createHash('sha256').update(CONTENT).digest()

export async function derReaders(): Promise<Reader[]> {
  const cast = await revocationCast()
  const known = [cast.leaf, cast.issuing, cast.root, cast.responder]
  const { good, bad } = revocationAnswers(cast)
  const { stamped, foreign } = await timestamps()
  // Pieces come from origins of the same reader; parts that would make a bad input good are kept apart.
  return [
    { name: 'CMS', weight: 4, mutations, origins: [await aSignature()] },
    { name: 'certificate', weight: 4, mutations, origins: await certificates(known) },
    { name: 'OCSP and CRL, good', weight: 3, mutations, origins: good },
    { name: 'OCSP and CRL, bad', weight: 5, mutations, origins: bad },
    { name: 'timestamp', weight: 3, mutations, origins: stamped },
    { name: 'timestamp, foreign', weight: 1, mutations, origins: foreign },
  ]
}

/** The result of the reader; undefined if it refuses the bytes as it should. */
function read<T>(reader: (bytes: Uint8Array) => T, bytes: Uint8Array): T | undefined {
  try {
    return reader(bytes)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

async function aSignature(): Promise<Origin> {
  const efirma = await testEfirma()
  const bytes = await sealOf(efirma)(CONTENT)
  const faultOf = (cms: Uint8Array) => {
    const signedData = read(readSignedData, cms)
    for (const signer of signedData?.signers ?? []) {
      const facts = verifySigner(signedData!, signer, { contentDigest: () => digest })
      const isSame = facts.certificate && areEqual(facts.certificate.der, efirma.cer)
      const isBound = facts.certificateBinding === 'matches'
      if (facts.isValid && facts.isIntact && isBound && !isSame)
        return 'valid for another certificate'
    }
    return undefined
  }
  return { name: 'signature', bytes, faultOf }
}

const hasKeyOf = (one: Certificate, other: Certificate) =>
  areEqual(one.publicKey.spki, other.publicKey.spki)

async function certificates(known: readonly Certificate[]): Promise<Origin[]> {
  const { issuing } = await testAuthority()
  const options = { anchors: [await testAnchor()], candidates: [issuing], at: TEST_NOW }
  const saysTheSame = (one: Certificate) => (other: Certificate) =>
    one.serial === other.serial &&
    hasKeyOf(one, other) &&
    areEqual(one.subject.bytes, other.subject.bytes) &&
    one.notAfter === other.notAfter
  const faultOf = (bytes: Uint8Array) => {
    const certificate = read(readCertificate, bytes)
    if (!certificate || known.some(saysTheSame(certificate))) return undefined
    const { kind } = findPath(certificate, options)
    return kind === 'found' ? 'trusted, and it says something else' : undefined
  }
  return known.map(({ der }, index) => ({ name: `certificate ${index}`, bytes: der, faultOf }))
}

const BEFORE = instantOf(TEST_NOW - days(1))

/** Answers that say that the certificate is good, and others that do not. */
function revocationAnswers(cast: RevocationCast): { good: Origin[]; bad: Origin[] } {
  const byAuthority = { responder: cast.issuing, responderKey: cast.issuingKey, certificates: [] }
  const revoked = { status: { at: BEFORE, reason: 1 } } as const
  const statuses = (der: Uint8Array) => {
    read(readOcspResponse, der)
    read(readCertificateList, der)
    read(readOcspRequest, der)
    const answer = { der, source: 'fetched' } as const
    return [judged(cast, { ocsp: [answer] }).status, judged(cast, { crls: [answer] }).status]
  }
  const never = (status: 'good' | 'revoked') => (der: Uint8Array) =>
    statuses(der).includes(status) ? `${status}, and the certificate is not` : undefined
  const entries = [{ serial: serialOf(cast.leaf), at: BEFORE }]
  const bad = {
    revoked: ocspAnswer(cast, revoked),
    'revoked, by the authority': ocspAnswer(cast, revoked, byAuthority),
    unknown: ocspAnswer(cast, { status: 'unknown' }),
    'on a list': listAnswer(cast, { entries }),
  }
  const good = { good: ocspAnswer(cast), 'on no list': listAnswer(cast) }
  const origins = (answers: Record<string, { der: Uint8Array }>, faultOf: Origin['faultOf']) =>
    Object.entries(answers).map(([name, { der }]) => ({ name, bytes: der, faultOf }))
  const question = { question: { der: ocspRequest(cast.leaf, cast.issuing) } }
  return {
    good: origins({ ...good, ...question }, never('revoked')),
    bad: origins(bad, never('good')),
  }
}

async function timestamps(): Promise<{ stamped: Origin[]; foreign: Origin[] }> {
  const by = await stampingAuthority()
  const policy = await testPolicy()
  const token = stampOver(CONTENT, { by, time: TEST_NOW })
  const faultOf = (bytes: Uint8Array) => {
    const report = judgeConstancia(bytes, digest, policy)
    if (report.verdict === 'VALID' && Date.parse(report.time ?? '') !== TEST_NOW)
      return 'VALID for another time'
    const response = read(readTimeStampResponse, bytes)
    if (response?.kind !== 'granted') return undefined
    const facts = verifyTimeStamp(response.token, () => digest)
    const isSame = response.token.info.time === TEST_NOW
    return facts.isValid && !isSame ? 'valid for another time' : undefined
  }
  const other = stampOver(Buffer.from('otra cosa'), { by, time: TEST_NOW })
  const isValid = (bytes: Uint8Array) => judgeConstancia(bytes, digest, policy).verdict === 'VALID'
  return {
    stamped: [
      { name: 'token', bytes: token, faultOf },
      { name: 'response', bytes: responseWith(0, token), faultOf },
      { name: 'refusal', bytes: responseWith(2), faultOf },
    ],
    foreign: [
      {
        name: 'over something else',
        bytes: other,
        faultOf: (bytes) => (isValid(bytes) ? 'VALID for what was never stamped' : undefined),
      },
    ],
  }
}
