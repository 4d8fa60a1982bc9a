import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { readDer } from '#server/domain/asn1/der.ts'
import { explicitContent, sequenceOf } from '#server/domain/asn1/der-values.ts'
import { explicit, octetString, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { ID_DATA } from '#server/domain/asn1/object-identifiers.ts'
import { readSignatureContent } from '#server/domain/verification/signature-content.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import { sealOf } from '#tests/support/pdf/signed-pdfs.ts'

const SIGNED = Buffer.from('Escritura 12,345')
const sha1 = createHash('sha1').update(SIGNED).digest()

let detached: Uint8Array
beforeAll(async () => {
  detached = await sealOf(await testEfirma())(SIGNED)
}, 60_000)

/** The signature with signed content inside. */
function withContent(content: Uint8Array): Uint8Array {
  const [type, wrapped] = sequenceOf(readDer(detached))
  const [version, digests, , ...rest] = sequenceOf(explicitContent(wrapped!))
  const inner = sequence(oid(ID_DATA), explicit(0, octetString(content)))
  const parts = [version!.bytes, digests!.bytes, inner, ...rest.map(({ bytes }) => bytes)]
  return sequence(type!.bytes, explicit(0, sequence(...parts)))
}

const read = (subFilter: string, contents: Uint8Array) =>
  readSignatureContent({ subFilter, contents, certificates: [] })

test.each(['ETSI.CAdES.detached', 'adbe.pkcs7.detached'])(
  'format %s: commits to the range with its own digest',
  (subFilter) => {
    expect(read(subFilter, detached)).toMatchObject({
      kind: 'read',
      content: { rangeDigest: 'sha256' },
    })
    expect(read(subFilter, withContent(sha1))).toMatchObject({
      kind: 'refused',
      reason: { code: 'content-embedded' },
    })
  },
)

test('format adbe.pkcs7.sha1: commits to the range with the SHA-1 that it signs', () => {
  const format = 'adbe.pkcs7.sha1'
  expect(read(format, withContent(sha1))).toMatchObject({
    kind: 'read',
    content: { rangeDigest: 'sha1' },
  })
  for (const content of [sha1.subarray(1), Buffer.concat([sha1, sha1])])
    expect(read(format, withContent(content))).toMatchObject({
      kind: 'refused',
      reason: { code: 'sha1-digest-missing' },
    })
})

test('format ETSI.RFC3161: commits to the range with the digest in the timestamp', async () => {
  const token = stampOver(SIGNED, { by: await stampingAuthority(), time: TEST_NOW })
  expect(read('ETSI.RFC3161', token)).toMatchObject({
    kind: 'read',
    content: { rangeDigest: 'sha256', tstInfo: { time: TEST_NOW } },
  })
})

test.each(['', 'Own.Format', 'etsi.cades.detached'])(
  'format %j: is not read, however well the signature is written',
  (subFilter) => {
    expect(read(subFilter, detached)).toMatchObject({
      kind: 'unsupported',
      reason: { code: 'format-unsupported' },
    })
  },
)
