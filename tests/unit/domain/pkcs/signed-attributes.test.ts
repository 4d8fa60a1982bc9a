import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { DerError } from '#server/domain/asn1/der.ts'
import {
  element,
  octetString,
  oid,
  sequence,
  setOfElements,
  time,
} from '#server/domain/asn1/der-writer.ts'
import { concatBytes, toHex } from '#server/domain/bytes.ts'
import {
  assertCommitsTo,
  buildSignedAttributes,
  readSignedAttributes,
} from '#server/domain/pkcs/signed-attributes.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'

const digest = createHash('sha256').update('escritura').digest()
let signer: Efirma
let attributes: Uint8Array
beforeAll(async () => {
  signer = await testEfirma()
  attributes = buildSignedAttributes({ digest, certificateDigest: sha256(signer.cer) })
}, 60_000)

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

test('the attributes are a sorted SET of three, byte for byte', () => {
  const [contentType, messageDigest] = [
    '301806092a864886f70d010903310b06092a864886f70d010701',
    `302f06092a864886f70d01090431220420${toHex(digest)}`,
  ]
  const certificate = `3037060b2a864886f70d010910022f312830263024302204 20${toHex(sha256(signer.cer))}`
  const content = contentType + messageDigest + certificate.replace(' ', '')
  expect(toHex(attributes)).toBe(
    `31${(content.length / 2).toString(16).padStart(4, '81')}${content}`,
  )
})

test('signed attributes: are read as they were built', () => {
  expect(readSignedAttributes(attributes)).toMatchObject({
    contentType: '1.2.840.113549.1.7.1',
    digest: new Uint8Array(digest),
    certificates: [{ hashAlgorithm: '2.16.840.1.101.3.4.2.1', issuerSerial: undefined }],
  })
})

test('the right document and certificate pass', async () => {
  const { certificate } = signer
  await expect(assertCommitsTo(attributes, { digest, certificate })).resolves.toBeUndefined()
})

test('another document is found', async () => {
  const { certificate } = signer
  await expect(
    assertCommitsTo(attributes, { digest: randomBytes(32), certificate }),
  ).rejects.toMatchObject({ code: 'other-document' })
})

test('another certificate of the same person is found', async () => {
  const { certificate } = await testEfirma()
  await expect(assertCommitsTo(attributes, { digest, certificate })).rejects.toMatchObject({
    code: 'other-certificate',
  })
})

const attribute = (type: string, ...values: Uint8Array[]) =>
  sequence(oid(type), setOfElements(...values))

test.each([
  ['a fourth attribute', (own: Uint8Array) => resealed(own, signingTime())],
  ['one attribute twice', (own: Uint8Array) => resealed(own, messageDigest(digest))],
  ['nothing', () => new Uint8Array(0)],
  ['something else', () => sequence(oid('1.2.3'))],
  ['a document that looks like bytes to sign', () => Buffer.from('%PDF-1.7 …')],
  ['one missing', () => element(0x31, messageDigest(digest))],
  ['two digests', () => element(0x31, messageDigest(digest, randomBytes(32)))],
])('%s is not signed', async (_, tamper) => {
  const { certificate } = signer
  await expect(assertCommitsTo(tamper(attributes), { digest, certificate })).rejects.toMatchObject({
    name: 'CommitmentError',
    code: 'malformed',
  })
})

const messageDigest = (...digests: Uint8Array[]) =>
  attribute('1.2.840.113549.1.9.4', ...digests.map(octetString))
const signingTime = () => attribute('1.2.840.113549.1.9.5', time(0))
/** The length takes two octets before and after. */
const resealed = (own: Uint8Array, more: Uint8Array) =>
  element(0x31, concatBytes(own.subarray(3), more))

test('no change of one octet passes', async () => {
  const { certificate } = signer
  for (let at = 0; at < attributes.length; at++) {
    const mutant = attributes.slice()
    mutant[at] = (mutant[at] ?? 0) ^ 0x04
    await expect(assertCommitsTo(mutant, { digest, certificate })).rejects.toMatchObject({
      name: 'CommitmentError',
    })
  }
})

test('only the typed error leaves the reader', () => {
  expect(() => readSignedAttributes(randomBytes(50))).toThrow(DerError)
})
