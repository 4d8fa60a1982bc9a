import { expect, test } from 'vitest'
import { element, explicit, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { ID_SIGNED_DATA } from '#server/domain/asn1/object-identifiers.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
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
