import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import { readTimeStampToken } from '#server/domain/timestamp/time-stamp-token.ts'
import { verifyTimeStamp } from '#server/domain/timestamp/verify-time-stamp.ts'
import { type DigestName, startDigest } from '#server/domain/trust/digest-algorithm.ts'
import { TEST_NOW, testAuthority } from '#tests/support/authorities/test-authority.ts'
import {
  type StampingAuthority,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import { judge } from '#tests/support/judges.ts'

/* openssl gives timestamps that we judge, and judges those of the tests. */

const openssl = judge('openssl')
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-timestamps-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => path.join(folder, name)

const DEED = Buffer.from('Escritura 12,345')
const digestOfDeed = (digest: DigestName) => startDigest(digest).update(DEED).digest()

let authority: StampingAuthority
beforeAll(async () => {
  authority = await stampingAuthority()
  const { root, issuing } = await testAuthority()
  const pem = (der: Uint8Array) => new X509Certificate(der).toString()
  writeFileSync(at('deed'), DEED)
  writeFileSync(at('root.pem'), pem(root.der))
  writeFileSync(at('issuing.pem'), pem(issuing.der))
  writeFileSync(at('tsa.pem'), pem(authority.certificate.der))
  writeFileSync(at('tsa.key'), authority.key.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(at('serial'), '01\n')
  writeFileSync(at('ts.cnf'), CONFIGURATION)
})

const CONFIGURATION = `
[tsa]
default_tsa=one
[one]
serial=${at('serial')}
crypto_device=builtin
default_policy=1.2.3.4.1
digests=sha256,sha384,sha512
signer_digest=sha256
accuracy=secs:1, millisecs:500
`

function judgement(token: Uint8Array): string {
  writeFileSync(at('token'), token)
  const trusted = ['-CAfile', at('root.pem'), '-untrusted', at('issuing.pem')]
  const moment = ['-attime', String(TEST_NOW / 1000)]
  const { output, errors } = openssl(
    ...['ts', '-verify', '-data', at('deed'), '-in', at('token'), '-token_in'],
    ...trusted,
    ...moment,
  )
  return output + errors
}

test('openssl takes a timestamp of the tests for one', () => {
  const token = stampOver(DEED, { by: authority, time: TEST_NOW })
  expect(judgement(token)).toMatch(/Verification: OK/)
  expect(verifyTimeStamp(readTimeStampToken(token), digestOfDeed).isValid).toBe(true)
})

test('and refuses with us one over other bytes', () => {
  const token = stampOver(Buffer.from('otra'), { by: authority, time: TEST_NOW })
  expect(judgement(token)).toMatch(/FAILED/)
  expect(verifyTimeStamp(readTimeStampToken(token), digestOfDeed).isValid).toBe(false)
})

test.each([
  ['sha256', 'sha256'],
  ['sha384', 'sha256'],
  ['sha512', 'sha1'],
])('%s, the certificate bound by %s', (digest, binding) => {
  writeFileSync(at('ts.cnf'), `${CONFIGURATION}ess_cert_id_alg=${binding}\n`)
  const query = ['ts', '-query', '-data', at('deed'), `-${digest}`, '-cert', '-out', at('query')]
  expect(openssl(...query)).toMatchObject({ status: 0 })
  const signer = ['-signer', at('tsa.pem'), '-inkey', at('tsa.key'), '-config', at('ts.cnf')]
  const reply = ['ts', '-reply', '-queryfile', at('query'), ...signer, '-out', at('reply')]
  expect(openssl(...reply)).toMatchObject({ status: 0 })
  const response = readTimeStampResponse(new Uint8Array(readFileSync(at('reply'))))
  if (response.kind !== 'granted') throw new Error('openssl refused')
  expect(response.token.info).toMatchObject({ digest, accuracy: 1500 })
  expect(response.token.info.nonce).toBeDefined()
  expect(verifyTimeStamp(response.token, digestOfDeed)).toMatchObject({ isValid: true })
})
