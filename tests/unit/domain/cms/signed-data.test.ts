import { createHash, randomBytes, sign, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createAuthority,
  type DemoAuthority,
  type Efirma,
  mintEfirma,
} from '#server/demo/certification-authority.ts'
import { DerError, readBer } from '#server/domain/asn1/der.ts'
import { explicitContent, sequenceOf } from '#server/domain/asn1/der-values.ts'
import {
  element,
  explicit,
  integer,
  nullValue,
  octetString,
  oid,
  retagged,
  sequence,
  setOfElements,
} from '#server/domain/asn1/der-writer.ts'
import {
  ID_CONTENT_TYPE,
  ID_DATA,
  ID_MESSAGE_DIGEST,
  ID_SIGNING_CERTIFICATE_V2,
} from '#server/domain/asn1/object-identifiers.ts'
import { concatBytes } from '#server/domain/bytes.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { readSignedData } from '#server/domain/cms/signed-data.ts'
import { verifySigner } from '#server/domain/cms/verify-signer.ts'
import { openPrivateKey, signWith } from '#server/domain/pkcs/private-key.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import { type DigestName, startDigest } from '#server/domain/trust/digest-algorithm.ts'
import {
  TEST_NOW,
  TEST_PASSWORD,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'
import { attribute } from '#tests/support/authorities/time-stamps.ts'
import { judge } from '#tests/support/judges.ts'

const openssl = judge('openssl')
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-cms-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => path.join(folder, name)

const content = Buffer.from('Escritura 4521, volumen 80\n')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const digestOf = (bytes: Uint8Array) => (digest: DigestName) =>
  startDigest(digest).update(bytes).digest()

let authority: DemoAuthority
let signer: Efirma
let attributes: Uint8Array
let built: Uint8Array

beforeAll(async () => {
  authority = await testAuthority()
  signer = await testEfirma()
  attributes = buildSignedAttributes({
    digest: sha256(content),
    certificateDigest: sha256(signer.cer),
  })
  built = await seal(signer, authority, attributes)
  const pem = (der: Uint8Array) => new X509Certificate(der).toString()
  writeFileSync(at('content'), content)
  writeFileSync(at('signer.pem'), pem(signer.cer))
  writeFileSync(at('issuing.pem'), pem(authority.issuing.der))
  writeFileSync(at('root.pem'), pem(authority.root.der))
  writeFileSync(at('key.pem'), signer.keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
}, 60_000)

/** As the product does it: the key is opened from the file that the SAT hands out. */
async function seal(efirma: Efirma, by: DemoAuthority, signedAttributes: Uint8Array) {
  const outcome = await openPrivateKey(efirma.key, TEST_PASSWORD)
  if (outcome.kind !== 'opened') throw new Error(outcome.kind)
  return buildSignedData({
    signedAttributes,
    signature: await signWith(outcome.opened, signedAttributes),
    signer: efirma.certificate,
    certificates: [by.issuing.der, by.root.der],
    digestAlgorithm: 'sha256',
  })
}

function factsOf(cms: Uint8Array, over: Uint8Array = content) {
  const signedData = readSignedData(cms)
  const [first] = signedData.signers
  if (!first) throw new Error('no signer')
  return verifySigner(signedData, first, { contentDigest: digestOf(over), content: over })
}

const GOOD = { isIntact: true, isValid: true, certificateBinding: 'matches', problems: [] }

test('CMS: is read as it was built', () => {
  const signedData = readSignedData(built)
  expect(signedData).toMatchObject({
    version: 1,
    contentType: '1.2.840.113549.1.7.1',
    content: undefined,
    trailing: 'none',
    unreadableCertificates: [],
  })
  expect(signedData.certificates).toHaveLength(3)
  expect(signedData.signers[0]?.signedAttributes?.setBytes).toEqual(attributes)
  expect(factsOf(built)).toMatchObject({
    ...GOOD,
    certificate: { serial: signer.certificate.serial },
    digest: 'sha256',
    signature: { scheme: 'RSASSA-PKCS1-v1_5', keyBits: 2048, isWeak: false },
  })
})

const SHA256 = '2.16.840.1.101.3.4.2.1'

/** Attributes whose reference to the certificate also says who issued it, and its number. */
const naming = (issuerSerial: Uint8Array, hash: Uint8Array = sha256(signer.cer)) =>
  setOfElements(
    attribute(ID_CONTENT_TYPE, oid(ID_DATA)),
    attribute(ID_MESSAGE_DIGEST, octetString(sha256(content))),
    attribute(
      ID_SIGNING_CERTIFICATE_V2,
      sequence(sequence(sequence(sequence(oid(SHA256)), octetString(hash), issuerSerial))),
    ),
  )

describe('issuer and number beside the hash of the signing certificate', () => {
  const bindingWith = async (issuerSerial: Uint8Array, hash?: Uint8Array) =>
    factsOf(await seal(signer, authority, naming(issuerSerial, hash)))

  test.each([
    ['no sequence', octetString(Buffer.from('nada'))],
    ['an empty sequence', sequence()],
    ['a number and no name', sequence(integer(5))],
    [
      'names of another kind',
      sequence(sequence(element(0x82, Buffer.from('sat.example'))), integer(5)),
    ],
  ])('%s: passed over, the hash decides', async (_, issuerSerial) => {
    const facts = await bindingWith(issuerSerial)
    expect(facts).toMatchObject({ ...GOOD, certificateBinding: 'matches-by-hash' })
    const other = await bindingWith(issuerSerial, sha256(content))
    expect(other).toMatchObject({
      certificateBinding: 'differs',
      problems: ['signing-certificate-differs'],
    })
  })

  test('another number is another certificate', async () => {
    const names = sequence(explicit(4, sequence()))
    expect(await bindingWith(sequence(names, integer(5)))).toMatchObject({
      certificateBinding: 'differs',
    })
  })
})

function opensslVerify(cms: Uint8Array, root: string) {
  writeFileSync(at('built.der'), cms)
  return openssl(
    ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', at('built.der')],
    ...['-content', at('content'), '-CAfile', root, '-cades', '-out', at('out')],
    ...['-attime', String(TEST_NOW / 1000), '-purpose', 'any'],
  )
}

test('openssl verifies our CMS, signing certificate included', () => {
  const verdict = opensslVerify(built, at('root.pem'))
  expect(verdict.errors).toContain('CAdES Verification successful')
  expect(verdict.status).toBe(0)
})

test('an authority with accents in a T61String signs and verifies', async () => {
  const accents = await createAuthority({
    now: TEST_NOW,
    issuingName: 'Administración Ñandú & Cía',
  })
  const { notBefore } = accents.issuing
  const efirma = await mintEfirma(accents, {
    kind: 'efirma-natural',
    name: 'IÑAKI ÁÉÍÓÚ',
    rfc: 'IAÑL750210963',
    notBefore: notBefore as typeof TEST_NOW,
    password: TEST_PASSWORD,
    serial: '30001000000500009999',
    keyPair: signer.keyPair,
  })
  const input = { digest: sha256(content), certificateDigest: sha256(efirma.cer) }
  const cms = await seal(efirma, accents, buildSignedAttributes(input))
  writeFileSync(at('accents.pem'), new X509Certificate(accents.root.der).toString())
  expect(opensslVerify(cms, at('accents.pem'))).toMatchObject({ status: 0 })
  expect(factsOf(cms)).toMatchObject(GOOD)
  expect(Buffer.from(cms).includes(Buffer.from(efirma.cer))).toBe(true)
}, 30_000)

describe('CMS signed by openssl', () => {
  const make = (...options: string[]) => {
    const run = openssl(
      ...['cms', '-sign', '-binary', '-outform', 'DER', '-in', at('content'), '-out', at('cms')],
      ...['-signer', at('signer.pem'), '-inkey', at('key.pem'), ...options],
    )
    if (run.status !== 0) throw new Error(run.errors)
    return readFileSync(at('cms'))
  }
  const UNBOUND = {
    ...GOOD,
    certificateBinding: 'absent',
    problems: ['signing-certificate-missing'],
  }

  test('detached, CAdES', () => {
    expect(factsOf(make('-cades', '-md', 'sha256'))).toMatchObject(GOOD)
  })

  test('with SHA-512 and RSASSA-PSS', () => {
    const cms = make('-cades', '-md', 'sha512', '-keyopt', 'rsa_padding_mode:pss')
    expect(factsOf(cms)).toMatchObject({
      ...GOOD,
      digest: 'sha512',
      signature: { scheme: 'RSASSA-PSS', digest: 'sha512' },
    })
  })

  test('with SHA-1, which is said to be weak', () => {
    expect(factsOf(make('-md', 'sha1'))).toMatchObject({ ...UNBOUND, isWeak: true })
  })

  test('streamed: indefinite lengths and content in pieces', () => {
    const cms = make('-nodetach', '-stream', '-cades', '-certfile', at('issuing.pem'))
    expect(cms[1]).toBe(0x80)
    const signedData = readSignedData(concatBytes(cms, new Uint8Array(100)))
    expect(signedData).toMatchObject({ trailing: 'zeros', length: cms.length })
    expect(Buffer.from(signedData.content ?? [])).toEqual(content)
    expect(signedData.certificates).toHaveLength(2)
    expect(factsOf(cms)).toMatchObject(GOOD)
  })

  test('named by key identifier, which an e.firma lacks, finds no certificate', () => {
    expect(() => make('-keyid')).toThrow(/key ?id|keyid/i)
  })

  test('without signed attributes', () => {
    const cms = make('-noattr')
    expect(factsOf(cms)).toMatchObject(UNBOUND)
    expect(factsOf(cms, Buffer.from('otra'))).toMatchObject({ isIntact: false, isValid: false })
  })

  test('without signed attributes and without content', () => {
    const contentDigest = digestOf(content)
    const detached = readSignedData(make('-noattr'))
    expect(verifySigner(detached, detached.signers[0]!, { contentDigest })).toMatchObject({
      isValid: false,
      problems: expect.arrayContaining(['content-missing']),
    })
    const attached = readSignedData(make('-noattr', '-nodetach'))
    expect(verifySigner(attached, attached.signers[0]!, { contentDigest })).toMatchObject(UNBOUND)
  })

  test('without certificates finds the signer among those at hand', () => {
    const signedData = readSignedData(make('-nocerts', '-cades'))
    const [first] = signedData.signers
    const options = { contentDigest: digestOf(content) }
    expect(verifySigner(signedData, first!, options)).toMatchObject({
      certificate: undefined,
      isValid: false,
      problems: expect.arrayContaining(['signer-certificate-missing']),
    })
    const certificates = [signer.certificate]
    expect(verifySigner(signedData, first!, { ...options, certificates })).toMatchObject(GOOD)
  })
})

describe('reports', () => {
  const sealed = (set: Uint8Array, key = signer.keyPair.privateKey) =>
    buildSignedData({
      signedAttributes: set,
      signature: sign('sha256', set, key),
      signer: signer.certificate,
      certificates: [],
      digestAlgorithm: 'sha256',
    })
  const attribute = (type: string, ...values: Uint8Array[]) =>
    sequence(oid(type), setOfElements(...values))
  const contentType = (type = '1.2.840.113549.1.7.1') =>
    attribute('1.2.840.113549.1.9.3', oid(type))
  const messageDigest = (...digests: Uint8Array[]) =>
    attribute('1.2.840.113549.1.9.4', ...digests.map(octetString))
  const signingCertificate = (hash: Uint8Array, id = '1.2.840.113549.1.9.16.2.47') =>
    attribute(id, sequence(sequence(sequence(octetString(hash)))))
  const right = () => [
    contentType(),
    messageDigest(sha256(content)),
    signingCertificate(sha256(signer.cer)),
  ]
  const V1 = '1.2.840.113549.1.9.16.2.12'

  test.each([
    [
      'another content',
      () => [messageDigest(sha256(Buffer.from('x'))), ...right().toSpliced(1, 1)],
      ['message-digest-differs'],
    ],
    ['no digest', () => right().toSpliced(1, 1), ['message-digest-missing']],
    ['no content type', () => right().slice(1), ['content-type-missing']],
    [
      'another content type',
      () => [contentType('1.2.3'), ...right().slice(1)],
      ['content-type-differs'],
    ],
    ['no signing certificate', () => right().slice(0, 2), ['signing-certificate-missing']],
    [
      'another signing certificate',
      () => [...right().slice(0, 2), signingCertificate(randomBytes(32))],
      ['signing-certificate-differs'],
    ],
    [
      'an old reference that differs',
      () => [...right(), signingCertificate(randomBytes(20), V1)],
      ['signing-certificate-differs'],
    ],
    ['a digest twice', () => [...right(), messageDigest(sha256(content))], ['attribute-ambiguous']],
    [
      'a digest of two values',
      () => [...right().toSpliced(1, 1), messageDigest(sha256(content), randomBytes(32))],
      ['attribute-ambiguous'],
    ],
    [
      'a digest that is none',
      () => [...right().toSpliced(1, 1), attribute('1.2.840.113549.1.9.4', oid('1.2.3'))],
      ['malformed'],
    ],
  ])('%s', (_, make, problems) => {
    const facts = factsOf(sealed(setOfElements(...make())))
    expect(facts.problems).toEqual(expect.arrayContaining(problems))
    const isStillIntact = !problems.some((problem) => /digest|ambiguous|malformed/.test(problem))
    expect(facts.isIntact).toBe(isStillIntact)
  })

  test('a matching reference by SHA-1', () => {
    const hash = createHash('sha1').update(signer.cer).digest()
    const set = setOfElements(...right().slice(0, 2), signingCertificate(hash, V1))
    expect(factsOf(sealed(set))).toMatchObject(GOOD)
  })

  describe('algorithms that are signed with the attributes', () => {
    const SHA256 = oid('2.16.840.1.101.3.4.2.1')
    const RSA = oid('1.2.840.113549.1.1.1')
    const protection = (...fields: Uint8Array[]) =>
      attribute('1.2.840.113549.1.9.52', sequence(...fields))
    const signature = (...fields: Uint8Array[]) => element(0xa1, ...fields)
    const judged = (protected_: Uint8Array) =>
      factsOf(sealed(setOfElements(...right(), protected_)))

    test.each([
      ['as they are', () => protection(sequence(SHA256), signature(RSA, nullValue()))],
      [
        'with a NULL that is missing there',
        () => protection(sequence(SHA256, nullValue()), signature(RSA, nullValue())),
      ],
      ['without a NULL that is there', () => protection(sequence(SHA256), signature(RSA))],
    ])('%s', (_, make) => {
      expect(judged(make())).toMatchObject(GOOD)
    })

    test.each([
      [
        'another digest',
        () => protection(sequence(oid('2.16.840.1.101.3.4.2.3')), signature(RSA, nullValue())),
        'algorithms-differ',
      ],
      [
        'another signature',
        () => protection(sequence(SHA256), signature(oid('1.2.840.113549.1.1.10'))),
        'algorithms-differ',
      ],
      [
        'another parameter',
        () => protection(sequence(SHA256), signature(RSA, integer(1))),
        'algorithms-differ',
      ],
      ['none of a signature', () => protection(sequence(SHA256)), 'algorithms-differ'],
      ['nothing', () => protection(), 'malformed'],
    ])('%s', (_, make, problem) => {
      expect(judged(make()).problems).toEqual([problem])
    })
  })

  test('the key of another person', () => {
    const facts = factsOf(sealed(attributes, authority.rootKey.privateKey))
    expect(facts).toMatchObject({ isIntact: true, isValid: false, problems: ['signature-differs'] })
  })

  test('attributes in another order than sorted are judged as they were signed', () => {
    const unsorted = element(0x31, ...right().toReversed())
    expect(factsOf(sealed(unsorted))).toMatchObject(GOOD)
  })

  test('a second set of anything is no signed data: two programs could read two signers', () => {
    const [type, wrapped] = sequenceOf(readBer(built))
    const fields = sequenceOf(explicitContent(wrapped!)).map(({ bytes }) => bytes)
    const withFields = (...all: Uint8Array[]) =>
      readSignedData(sequence(type!.bytes, explicit(0, sequence(...all))))
    const [certificates, signers] = fields.slice(-2) as [Uint8Array, Uint8Array]
    const lists = retagged(0xa1, certificates)
    const before = fields.slice(0, -2)
    expect(withFields(...fields).signers).toHaveLength(1)
    expect(withFields(...before, certificates, lists, signers).signers).toHaveLength(1)
    for (const odd of [
      [...fields, signers],
      [...before, certificates, certificates, signers],
      [...before, lists, certificates, signers],
      [...before, lists, lists, signers],
      [...before, integer(1), certificates, signers],
    ])
      expect(() => withFields(...odd)).toThrow(DerError)
  })

  test('something behind the structure that is not zeros', () => {
    expect(readSignedData(concatBytes(built, Uint8Array.of(0, 1))).trailing).toBe('other')
  })
})

test('CMS: no changed octet is both intact and valid, except in unsigned parts', () => {
  const signedParts = [attributes.subarray(1), readSignedData(built).signers[0]?.signature]
  for (const part of signedParts) {
    const start = Buffer.from(built).indexOf(Buffer.from(part ?? []))
    expect(start).toBeGreaterThan(0)
    for (let index = start + 3; index < start + (part?.length ?? 0); index++)
      expect(holds(withFlipped(built, index))).toBe(false)
  }
})

test('no change of one octet throws anything but the typed error', () => {
  for (let index = 0; index < built.length; index += 2) holds(withFlipped(built, index, 0x21))
})

test('no cut throws anything but the typed error', () => {
  for (let length = 0; length < built.length; length += 7)
    expect(() => readSignedData(built.subarray(0, length))).toThrow(DerError)
})

function withFlipped(bytes: Uint8Array, index: number, mask = 0x01) {
  const mutant = bytes.slice()
  mutant[index] = (mutant[index] ?? 0) ^ mask
  return mutant
}

function holds(cms: Uint8Array): boolean {
  try {
    const facts = factsOf(cms)
    return facts.isIntact && facts.isValid && facts.problems.length === 0
  } catch (error) {
    if (error instanceof DerError || (error as Error).message === 'no signer') return false
    throw error
  }
}
