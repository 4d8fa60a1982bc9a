import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { describeFile } from '#server/domain/efirma/describe-file.ts'
import { tryPassword } from '#server/domain/efirma/try-password.ts'
import { after, before, type Instant, milliseconds } from '#server/domain/time.ts'
import { wordsOfFile, wordsOfFinding } from '#server/words/described-files.ts'
import {
  TEST_NOW,
  TEST_PASSWORD,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import { pkcs12Of } from '#tests/support/keys/pkcs12-files.ts'

let efirma: Efirma
let other: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
  const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  other = await testEfirma({ rfc: 'LOPA800101AB1', keyPair })
}, 60_000)

const now = TEST_NOW
const described = (file: Uint8Array, at: Instant = now) => describeFile(file, at)
const pem = (label: string, der: Uint8Array) =>
  Buffer.from(
    `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64')}\n-----END ${label}-----\n`,
  )

test('certificate of an e.firma: says whose it is, until when, and that it signs; as DER and as PEM', () => {
  const { certificate, cer } = efirma
  const expected = {
    ...{ kind: 'certificate', use: 'efirma-natural', validity: 'valid' },
    ...{ name: certificate.name, rfc: 'MULA800101AB1' },
    number: expect.stringMatching(/^\d{20}$/),
    issuer: expect.any(String),
    ...{ notBefore: certificate.notBefore, notAfter: certificate.notAfter },
  }
  expect(described(cer)).toEqual(expected)
  expect(described(pem('CERTIFICATE', cer))).toEqual(expected)
  expect(wordsOfFile(described(cer))).toMatchObject({
    ...{ title: 'Certificado de e.firma de una persona física', tone: 'note' },
    sentences: [expect.stringContaining('si su emisor no lo ha revocado'), expect.any(String)],
  })
})

test('certificate: valid from its first instant through its last', () => {
  const { cer, certificate } = efirma
  const { notBefore, notAfter } = certificate
  const instant = milliseconds(1)
  const validityAt = (at: Instant) => described(cer, at)
  expect(validityAt(notBefore)).toMatchObject({ validity: 'valid' })
  expect(validityAt(notAfter)).toMatchObject({ validity: 'valid' })
  expect(validityAt(before(notBefore, instant))).toMatchObject({ validity: 'not-yet' })
  const over = validityAt(after(notAfter, instant))
  expect(over).toMatchObject({ validity: 'over' })
  expect(wordsOfFile(over)).toMatchObject({ tone: 'bad' })
  expect(wordsOfFile(over).sentences[0]).toMatch(/^Ya venció/)
})

test('seal, company and authority: are not called the e.firma of a person', async () => {
  const seal = await testEfirma({ kind: 'csd', branch: 'Matriz' })
  expect(described(seal.cer)).toMatchObject({ kind: 'certificate', use: 'csd' })
  expect(wordsOfFile(described(seal.cer)).sentences.join(' ')).toContain('no para firmar')
  const { issuing } = await testAuthority()
  expect(described(issuing.der)).toMatchObject({ kind: 'certificate', use: 'authority' })
})

test.each([
  ['empty', () => Buffer.alloc(0), { kind: 'empty' }],
  ['a PDF', () => Buffer.from('%PDF-1.7\n'), { kind: 'pdf' }],
  ['noise', () => Buffer.from('hola'), { kind: 'unknown' }],
  ['half a certificate', () => efirma.cer.subarray(0, 700), { kind: 'unknown' }],
  ['a key with a password', () => efirma.key, { kind: 'private-key', protection: 'password' }],
  [
    'a key in the clear',
    () => efirma.keyPair.privateKey.export({ type: 'pkcs8', format: 'der' }),
    { kind: 'private-key', protection: 'none' },
  ],
  [
    'a key in an unknown wrapping',
    () => Buffer.from('300f300b06092a864886f70d0101010400', 'hex'),
    { kind: 'private-key', protection: 'unknown-method' },
  ],
  ['a PKCS#12 file', () => pkcs12Of([efirma]), { kind: 'pkcs12' }],
])('file that is %s: is called so', (_, file, expected) => {
  expect(described(file())).toEqual(expected)
})

test('request and signed data of OpenSSL: are no certificates', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-described-'))
  const place = (name: string) => path.join(folder, name)
  const made = (...args: string[]) => {
    const { status, errors } = judge('openssl')(...args, '-out', place('made'))
    if (status !== 0) throw new Error(errors)
    return readFileSync(place('made'))
  }
  try {
    const keyPair = ['-newkey', 'rsa:2048', '-nodes', '-keyout', place('key.pem')]
    const request = ['req', '-new', ...keyPair, '-subj', '/CN=Ana']
    expect(described(made(...request, '-outform', 'DER'))).toEqual({ kind: 'request' })
    expect(described(made(...request))).toEqual({ kind: 'request' })
    const own = made('req', '-x509', ...keyPair, '-subj', '/CN=Ana')
    writeFileSync(place('own.pem'), own)
    const signer = ['-signer', place('own.pem'), '-inkey', place('key.pem')]
    const signed = made(
      ...['cms', '-sign', ...signer, '-in', '/dev/null', '-nodetach', '-outform', 'DER'],
    )
    expect(described(signed)).toEqual({ kind: 'signed-data' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('password: opens a key, and tells whether the certificate is its own', async () => {
  const tried = (files: readonly Uint8Array[], password = TEST_PASSWORD) =>
    tryPassword(
      files.map((file) => Uint8Array.from(file)),
      password,
      now,
    )
  expect(await tried([efirma.key])).toEqual([{ place: 0, kind: 'opens-key' }])
  expect(await tried([efirma.key, efirma.cer, other.cer])).toMatchObject([
    { kind: 'matches', certificate: { rfc: 'MULA800101AB1' } },
    { kind: 'other-key', certificate: { rfc: 'LOPA800101AB1' } },
  ])
  expect(await tried([pkcs12Of([efirma])])).toMatchObject([
    { kind: 'opens-pkcs12', certificates: [{ rfc: 'MULA800101AB1' }] },
  ])
  const wrong = await tried([efirma.key, pkcs12Of([efirma])], 'otra')
  expect(wrong).toEqual([
    { place: 0, kind: 'key-refused', code: 'wrong-password' },
    { place: 1, kind: 'pkcs12-refused', code: 'wrong-password' },
  ])
  for (const finding of wrong) expect(wordsOfFinding(finding).tone).toBe('bad')
})

test('password: the files are overwritten, whether it opens them or not', async () => {
  for (const password of [TEST_PASSWORD, 'otra']) {
    const key = Uint8Array.from(efirma.key)
    await tryPassword([key], password, now)
    expect(key.every((byte) => byte === 0)).toBe(true)
  }
})
