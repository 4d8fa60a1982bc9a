import type { KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ocspRequest, readOcspRequest } from '#server/domain/revocation/ocsp-request.ts'
import { readOcspResponse } from '#server/domain/revocation/ocsp-response.ts'
import type { RevocationAnswer } from '#server/domain/revocation/revocation-values.ts'
import { days, hours, instantOf } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { pemOf } from '#tests/support/authorities/certificate-chains.ts'
import {
  idOf,
  judged,
  listAnswer,
  ocspAnswer,
  type RevocationCast,
  revocationCast,
  serialOf,
} from '#tests/support/authorities/revocation-answers.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'

const openssl = judge('openssl')
/** OpenSSL looks at the clock of the machine, and so do we here. */
const now = instantOf(Math.floor(Date.now() / 1000) * 1000)
const earlier = (wait: number) => instantOf(now - wait)
const clock = { at: now, now }

let folder: string
let cast: RevocationCast
let good: Certificate
let revoked: Certificate

const at = (name: string) => path.join(folder, name)
const privatePem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' })

beforeAll(async () => {
  cast = await revocationCast()
  folder = mkdtempSync(path.join(tmpdir(), 'revocation-'))
  const validity = { notBefore: earlier(days(30)) }
  good = (await testEfirma(validity)).certificate
  revoked = (await testEfirma(validity)).certificate
  const line = (mark: string, revocation: string, { serial }: Certificate) =>
    [mark, '400101000000Z', revocation, serial.toUpperCase(), 'unknown', '/CN=x'].join('\t')
  const time = `${new Date(earlier(days(2)))
    .toISOString()
    .replace(/[-:T]|\.\d+/g, '')
    .slice(2)}`
  const index = [line('V', '', good), line('R', `${time},keyCompromise`, revoked)]
  const files = {
    'index.txt': `${index.join('\n')}\n`,
    'issuing.pem': pemOf(cast.issuing),
    'chain.pem': pemOf(cast.root) + pemOf(cast.issuing),
    'responder.pem': pemOf(cast.responder),
    'responder.key': privatePem(cast.responderKeys.privateKey),
    'issuing.key': privatePem(cast.issuingKey),
    'good.pem': pemOf(good),
    'revoked.pem': pemOf(revoked),
    crlnumber: '01\n',
    'ca.cnf': `[ca]\ndefault_ca=a\n[a]\ndatabase=${at('index.txt')}\ncrlnumber=${at('crlnumber')}\ndefault_md=sha256\ndefault_crl_days=7\ncrl_extensions=x\n[x]\n`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const must = ({ status, errors }: { status: number; errors: string }) =>
  expect(status, errors).toBe(0)

function answerOfOpenssl(
  request: Uint8Array,
  signer: 'responder' | 'issuing',
  ...more: string[]
): RevocationAnswer {
  writeFileSync(at('request.der'), request)
  must(
    openssl(
      'ocsp',
      ...['-index', at('index.txt'), '-CA', at('issuing.pem')],
      ...['-rsigner', at(`${signer}.pem`), '-rkey', at(`${signer}.key`)],
      ...['-reqin', at('request.der'), '-respout', at('response.der'), ...more],
    ),
  )
  return { der: new Uint8Array(readFileSync(at('response.der'))), source: 'fetched' }
}

describe('answers made by OpenSSL', () => {
  test.each([
    ['by a delegated responder', 'responder', []],
    ['for a day', 'responder', ['-ndays', '1']],
    ['named by its key', 'responder', ['-resp_key_id']],
    ['by the authority itself, without certificates', 'issuing', ['-resp_no_certs']],
    ['signed with SHA-512', 'responder', ['-rmd', 'sha512']],
    ['signed with PSS', 'responder', ['-rsigopt', 'rsa_padding_mode:pss']],
  ] as const)('%s', (_, signer, options) => {
    const ask = (certificate: Certificate) => [
      answerOfOpenssl(ocspRequest(certificate, cast.issuing), signer, ...options),
    ]
    expect(judged(cast, { ocsp: ask(good) }, { certificate: good, ...clock })).toMatchObject({
      status: 'good',
      source: 'ocsp',
    })
    expect(judged(cast, { ocsp: ask(revoked) }, { certificate: revoked, ...clock })).toMatchObject({
      status: 'revoked',
      revokedAt: earlier(days(2)),
      reason: 'keyCompromise',
    })
    expect(judged(cast, { ocsp: ask(cast.leaf) }, clock).why).toBe('unknown-to-responder')
  })

  test('repeats the nonce', () => {
    const nonce = Uint8Array.from({ length: 32 }, (_, index) => index)
    const { der } = answerOfOpenssl(ocspRequest(good, cast.issuing, nonce), 'responder')
    expect(readOcspResponse(der)).toMatchObject({ kind: 'answered', nonce })
  })

  test('signed with SHA-1 proves nothing good, unless the policy gives it time', () => {
    const request = ocspRequest(good, cast.issuing)
    const ocsp = [answerOfOpenssl(request, 'responder', '-rmd', 'sha1')]
    const question = { certificate: good, ...clock }
    expect(judged(cast, { ocsp }, question).why).toBe('weak-algorithm')
    const algorithms = {
      digests: { sha1: now, sha256: null },
      keys: { rsa: [{ leastBits: 2048, until: null }], dsa: [], ec: [] },
    }
    expect(judged(cast, { ocsp }, { ...question, algorithms }).status).toBe('good')
  })
})

test('OCSP request: equals that of OpenSSL', () => {
  openssl(
    'ocsp',
    ...['-issuer', at('issuing.pem'), '-cert', at('good.pem'), '-no_nonce'],
    ...['-reqout', at('asked.der')],
  )
  expect(ocspRequest(good, cast.issuing)).toEqual(new Uint8Array(readFileSync(at('asked.der'))))
  expect(readOcspRequest(ocspRequest(good, cast.issuing)).asked[0]).toMatchObject({
    digest: 'sha1',
    serial: good.serial,
  })
})

test.each([
  ['good', {}, /good\.pem: good/],
  ['revoked', { status: { at: earlier(days(1)), reason: 4 } }, /good\.pem: revoked/],
] as const)('OpenSSL accepts our responses: %s', (_, single, said) => {
  const id = idOf(good, cast.issuing)
  const { der } = ocspAnswer(cast, { id, thisUpdate: now, ...single })
  writeFileSync(at('minted.der'), der)
  const { output, errors } = openssl(
    'ocsp',
    ...['-respin', at('minted.der'), '-issuer', at('issuing.pem'), '-cert', at('good.pem')],
    ...['-CAfile', at('chain.pem'), '-no_nonce'],
  )
  expect(errors).toContain('Response verify OK')
  expect(output).toMatch(said)
})

describe('lists', () => {
  test('made by OpenSSL are read', () => {
    must(
      openssl(
        'ca',
        ...['-gencrl', '-config', at('ca.cnf'), '-keyfile', at('issuing.key')],
        ...['-cert', at('issuing.pem'), '-out', at('made.pem')],
      ),
    )
    must(openssl('crl', '-in', at('made.pem'), '-outform', 'DER', '-out', at('made.der')))
    const crls = [{ der: new Uint8Array(readFileSync(at('made.der'))), source: 'fetched' } as const]
    expect(judged(cast, { crls }, { certificate: good, ...clock }).status).toBe('good')
    expect(judged(cast, { crls }, { certificate: revoked, ...clock })).toMatchObject({
      status: 'revoked',
      revokedAt: earlier(days(2)),
      reason: 'keyCompromise',
    })
  })

  test('made by us mean the same to OpenSSL', () => {
    const { der } = listAnswer(cast, {
      thisUpdate: earlier(hours(1)),
      entries: [{ serial: serialOf(revoked), at: earlier(days(1)) }],
    })
    writeFileSync(at('minted-list.der'), der)
    const list = ['-in', at('minted-list.der'), '-inform', 'DER', '-out', at('minted-list.pem')]
    must(openssl('crl', ...list))
    const verify = (certificate: string) =>
      openssl(
        'verify',
        ...['-crl_check', '-CRLfile', at('minted-list.pem'), '-CAfile', at('chain.pem')],
        at(certificate),
      )
    must(verify('good.pem'))
    expect(verify('revoked.pem').errors).toContain('certificate revoked')
  })
})
