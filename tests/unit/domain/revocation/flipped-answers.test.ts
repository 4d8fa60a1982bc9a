import { beforeAll, expect, test } from 'vitest'
import { toHex } from '#server/domain/bytes.ts'
import { readCertificateList } from '#server/domain/revocation/certificate-list.ts'
import { readOcspResponse } from '#server/domain/revocation/ocsp-response.ts'
import type { RevocationAnswer } from '#server/domain/revocation/revocation-values.ts'
import { days, instantOf } from '#server/domain/time.ts'
import {
  judged,
  listAnswer,
  ocspAnswer,
  type RevocationCast,
  revocationCast,
  serialOf,
} from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

let cast: RevocationCast
beforeAll(async () => {
  cast = await revocationCast()
}, 60_000)

const at = instantOf(TEST_NOW - days(1))

/** The statuses that an answer comes to when each of its bytes in turn has one bit changed. */
function statusesOf(kind: 'ocsp' | 'crls', { der, source }: RevocationAnswer) {
  const signed = { start: startOfSigned(kind, der), statuses: new Set<string>() }
  const wrapping = new Set<string>()
  for (let index = 0; index < der.length; index++) {
    const changed = Uint8Array.from(der)
    changed[index] = (changed[index] ?? 0) ^ (1 << (index % 8))
    const { status } = judged(cast, { [kind]: [{ der: changed, source }] })
    const isWrapping = index < signed.start || isAlgorithm(der, index)
    ;(isWrapping ? wrapping : signed.statuses).add(status)
  }
  return { signed: signed.statuses, wrapping }
}

function startOfSigned(kind: 'ocsp' | 'crls', der: Uint8Array): number {
  if (kind === 'crls') return readCertificateList(der).tbs.byteOffset - der.byteOffset
  const response = readOcspResponse(der)
  if (response.kind !== 'answered') throw new Error('a refusal')
  return response.tbs.byteOffset - der.byteOffset
}

/** What names the algorithm beside the signature is not signed; in lists the signed part repeats it. */
const ALGORITHM = '300d06092a864886f70d01010b0500'
function isAlgorithm(der: Uint8Array, index: number): boolean {
  const start = toHex(der).lastIndexOf(ALGORITHM) / 2
  return index >= start && index < start + ALGORITHM.length / 2
}

// The delegation is part of the answer, but not of what the responder signed.
const byAuthority = () => ({
  responder: cast.issuing,
  responderKey: cast.issuingKey,
  certificates: [],
})

const onlyUnknown = new Set(['unknown'])

test('a response that says revoked never says good', () => {
  const answer = ocspAnswer(cast, { status: { at, reason: 1 } }, byAuthority())
  expect(judged(cast, { ocsp: [answer] }).status).toBe('revoked')
  const { signed, wrapping } = statusesOf('ocsp', answer)
  expect(signed).toEqual(onlyUnknown)
  expect([...wrapping]).not.toContain('good')
})

test('a response that says unknown never says good', () => {
  const answer = ocspAnswer(cast, { status: 'unknown' }, byAuthority())
  expect(statusesOf('ocsp', answer)).toEqual({ signed: onlyUnknown, wrapping: onlyUnknown })
})

test('a delegated response that says revoked never says good', () => {
  const answer = ocspAnswer(cast, { status: { at, reason: 1 } })
  const { signed, wrapping } = statusesOf('ocsp', answer)
  expect([...signed, ...wrapping]).not.toContain('good')
}, 30_000)

test('a changed good response is good for nothing', () => {
  expect(statusesOf('ocsp', ocspAnswer(cast, {}, byAuthority())).signed).toEqual(onlyUnknown)
})

test('a list that names the certificate never says good', () => {
  const entries = [{ serial: serialOf(cast.leaf), at }]
  const answer = listAnswer(cast, { entries })
  expect(statusesOf('crls', answer)).toEqual({ signed: onlyUnknown, wrapping: onlyUnknown })
})

test('a changed list is good for nothing', () => {
  const answer = listAnswer(cast)
  expect(statusesOf('crls', answer)).toEqual({ signed: onlyUnknown, wrapping: onlyUnknown })
})

test.each(['ocsp', 'crls'] as const)('%s: any prefix ends in a judgement', (kind) => {
  const { der } = kind === 'ocsp' ? ocspAnswer(cast) : listAnswer(cast)
  for (let length = 0; length < der.length; length++) {
    const answer = { der: der.slice(0, length), source: 'embedded' } as const
    expect(judged(cast, { [kind]: [answer] }).status).toBe('unknown')
  }
})
