import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerTimestamp } from '#server/demo/timestamp-authority.ts'
import { integer, sequence } from '#server/domain/asn1/der-writer.ts'
import { after, before, type Instant, instantOf, minutes } from '#server/domain/time.ts'
import {
  acceptTimeStamp,
  type TimeStampRequest,
  timeStampRequest,
} from '#server/domain/timestamp/time-stamp-request.ts'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import { startDigest } from '#server/domain/trust/digest-algorithm.ts'
import { TEST_NOW, testAnchor, testAuthority } from '#tests/support/authorities/test-authority.ts'
import {
  type StampingAuthority,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import { judge } from '#tests/support/judges.ts'

const openssl = judge('openssl')
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-requests-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => path.join(folder, name)

const DEED = Buffer.from('Escritura 12,345')
const DEMO_POLICY = '2.999.1'
const REQUEST: TimeStampRequest = {
  digest: startDigest('sha256').update(DEED).digest(),
  // The first octets say nothing and the highest bit is set: as an INTEGER it is written otherwise.
  nonce: Uint8Array.from([0, 0, 0x9a, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
  policy: null,
}

let authority: StampingAuthority
let trust: Parameters<typeof acceptTimeStamp>[2]
beforeAll(async () => {
  authority = await stampingAuthority()
  const { issuing } = await testAuthority()
  trust = { anchors: [await testAnchor()], candidates: [issuing], now: TEST_NOW }
})

const answered = (request: TimeStampRequest, now: Instant = TEST_NOW) =>
  answerTimestamp(timeStampRequest(request), authority, now)

const outcomeOf = (answer: Uint8Array, request = REQUEST, changes: Partial<typeof trust> = {}) => {
  const accepted = acceptTimeStamp(answer, request, { ...trust, ...changes })
  return accepted.kind === 'accepted' ? 'accepted' : accepted.fault
}

test('openssl reads the request as it was meant', () => {
  writeFileSync(at('query'), timeStampRequest({ ...REQUEST, policy: '1.2.3.4.1' }))
  const { status, output } = openssl('ts', '-query', '-in', at('query'), '-text')
  expect(status).toBe(0)
  expect(output).toContain('Hash Algorithm: sha256')
  expect(output).toMatch(/Policy OID: (?:1\.2\.3\.4\.1|tsa_policy1)/)
  expect(output).toContain('Nonce: 0x9A010203040506070809')
  expect(output).toContain('Certificate required: yes')
})

test('openssl answers the request, and its answer is taken', async () => {
  const { root, issuing } = await testAuthority()
  const pem = (der: Uint8Array) => new X509Certificate(der).toString()
  writeFileSync(at('tsa.pem'), pem(authority.certificate.der))
  writeFileSync(at('chain.pem'), pem(issuing.der) + pem(root.der))
  writeFileSync(at('tsa.key'), authority.key.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(at('serial'), '01\n')
  writeFileSync(
    at('ts.cnf'),
    `[tsa]\ndefault_tsa=one\n[one]\nserial=${at('serial')}\ncrypto_device=builtin\n` +
      'default_policy=1.2.3.4.1\ndigests=sha256\nsigner_digest=sha256\n',
  )
  writeFileSync(at('query'), timeStampRequest(REQUEST))
  const signer = ['-signer', at('tsa.pem'), '-inkey', at('tsa.key'), '-config', at('ts.cnf')]
  const chain = ['-chain', at('chain.pem')]
  const reply = ['-queryfile', at('query'), ...signer, ...chain, '-out', at('reply')]
  expect(openssl('ts', '-reply', ...reply)).toMatchObject({ status: 0 })

  const answer = new Uint8Array(readFileSync(at('reply')))
  const now = instantOf(Date.now())
  // The embedded certificates are enough: the intermediate authority is known from nowhere else.
  expect(outcomeOf(answer, REQUEST, { candidates: [], now })).toBe('accepted')
  const verification = ['-queryfile', at('query'), '-in', at('reply'), '-CAfile', at('chain.pem')]
  expect(openssl('ts', '-verify', ...verification).output).toContain('Verification: OK')
})

test('an answer to this request is taken, with the way to the anchor', () => {
  const accepted = acceptTimeStamp(answered(REQUEST), REQUEST, trust)
  if (accepted.kind !== 'accepted') throw new Error(accepted.fault)
  expect(accepted.time).toBe(TEST_NOW)
  expect(accepted.path).toHaveLength(3)
  expect(accepted.path[0]?.serial).toBe(authority.certificate.serial)
  const response = readTimeStampResponse(answered(REQUEST))
  expect(response.kind === 'granted' && response.token.info.nonce?.length).toBe(11)
})

test('an answer to anything else is not', () => {
  const other = { ...REQUEST, nonce: REQUEST.nonce.map((octet) => octet ^ 1) }
  expect(outcomeOf(answered(REQUEST), other)).toBe('nonce-differs')
  const digest = startDigest('sha256').update('otra').digest()
  expect(outcomeOf(answered({ ...REQUEST, digest }))).toBe('imprint-differs')
  const asked = { ...REQUEST, policy: '1.2.3.4.5' }
  expect(outcomeOf(answered(REQUEST), asked)).toBe('policy-differs')
  expect(outcomeOf(answered(asked), asked)).toBe('refused')
  const right = { ...REQUEST, policy: DEMO_POLICY }
  expect(outcomeOf(answered(right), right)).toBe('accepted')
  const without = stampOver(DEED, { by: authority, time: TEST_NOW })
  expect(outcomeOf(without)).toBe('nonce-differs')
})

test('an answer that is none is not', () => {
  const answer = answered(REQUEST)
  expect(outcomeOf(new Uint8Array())).toBe('unreadable')
  expect(outcomeOf(Buffer.from('<html>'))).toBe('unreadable')
  expect(outcomeOf(answer.subarray(0, -1))).toBe('unreadable')
  // rejection
  expect(outcomeOf(sequence(sequence(integer(2))))).toBe('refused')
  // granted, and nothing there
  expect(outcomeOf(sequence(sequence(integer(0))))).toBe('unreadable')
})

test('an answer whose time is far from ours is rejected', () => {
  for (const [now, expected] of [
    [after(TEST_NOW, minutes(4)), 'accepted'],
    [after(TEST_NOW, minutes(6)), 'time-differs'],
    [before(TEST_NOW, minutes(6)), 'time-differs'],
  ] as const)
    expect(outcomeOf(answered(REQUEST), REQUEST, { now })).toBe(expected)
})

test('timestamp response: an untrusted authority and one that is not for timestamping are rejected', async () => {
  expect(outcomeOf(answered(REQUEST), REQUEST, { anchors: [] })).toBe('untrusted')
  const wrongPurpose = await stampingAuthority({ extensions: [] })
  const answer = answerTimestamp(timeStampRequest(REQUEST), wrongPurpose, TEST_NOW)
  expect(outcomeOf(answer)).toBe('not-for-time-stamping')
  const over = await stampingAuthority({ notAfter: before(TEST_NOW, minutes(1)) })
  const late = answerTimestamp(timeStampRequest(REQUEST), over, TEST_NOW)
  expect(outcomeOf(late)).toBe('untrusted')
})

test('every changed bit of a token makes it another one, or none', () => {
  const answer = answered(REQUEST)
  for (let place = 0; place < answer.length; place += 7) {
    const changed = answer.slice()
    changed[place] = (changed[place] as number) ^ 1
    const accepted = acceptTimeStamp(changed, REQUEST, trust)
    // Every mutation that is still accepted has the same content: the change is outside the signed part.
    if (accepted.kind === 'accepted') expect(accepted.time).toBe(TEST_NOW)
  }
})

test('the nonce of a request is random', () => {
  expect(() => timeStampRequest({ ...REQUEST, nonce: new Uint8Array(7) })).toThrow(RangeError)
  expect(() => timeStampRequest({ ...REQUEST, digest: new Uint8Array(20) })).toThrow(RangeError)
})
