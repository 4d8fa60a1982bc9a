import { expect, test } from 'vitest'
import { element, explicit, oid, sequence, setOfElements } from '#server/domain/asn1/der-writer.ts'
import { ID_SIGNED_DATA } from '#server/domain/asn1/object-identifiers.ts'
import { toHex } from '#server/domain/bytes.ts'
import { buildSignedData } from '#server/domain/cms/build-signed-data.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { attribute, stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { SIGNATURE_TIME_STAMP } from '#tests/support/pdf/long-term-pdfs.ts'
import { appendTable } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* More elements than a call has room for arguments: any bytes give a report. */

const MANY = 199_000

test('long lists: a signature of very many elements, one of which is none', async () => {
  const nulls = element(0x31, Buffer.alloc(2 * MANY, Buffer.of(5, 0)))
  const emptyVersion = element(0x02)
  const cms = sequence(oid(ID_SIGNED_DATA), explicit(0, sequence(emptyVersion, nulls)))
  const report = await verified(await handSigned({ seal: () => cms, room: cms.length }))
  expect(codesOf(report.first.warnings)).toEqual(['cms-misencoded'])
})

test('long lists: a later revision with very many pages', async () => {
  const signed = await handSigned({ seal: sealOf(await testEfirma()) })
  const kids = '10 0 R '.repeat(2 * MANY)
  const pages = { 2: `<</Type/Pages/Kids[${kids}]/Count ${2 * MANY}>>` }
  expect((await verified(appendTable(signed, pages))).verdict).toBe('INVALID')
})

test('long lists: many signatures of long values, each with timestamps of something else, end soon', async () => {
  const [efirma, by] = [await testEfirma(), await stampingAuthority()]
  const stamps = Array.from({ length: 10 }, (_, index) =>
    stampOver(Uint8Array.of(index), { by, time: TEST_NOW, certificates: [] }),
  )
  const cms = (index: number) =>
    buildSignedData({
      signedAttributes: setOfElements(),
      signature: new Uint8Array(50_000).fill(index),
      signer: efirma.certificate,
      certificates: [],
      digestAlgorithm: 'sha256',
      unsignedAttributes: [attribute(SIGNATURE_TIME_STAMP, ...stamps)],
    })
  const one = (index: number) =>
    `<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 1 2 3]/Contents <${toHex(cms(index))}>>>`
  const bodies = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [100 + index, one(index)]),
  )
  const file = appendTable(await handSigned({ seal: sealOf(efirma) }), bodies)
  expect(await cpuTimeOf(() => verified(file))).toBeLessThan(3000)
})
