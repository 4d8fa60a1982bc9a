import { expect, test } from 'vitest'
import { DerError } from '#server/domain/asn1/der.ts'
import { readSignedData } from '#server/domain/cms/signed-data.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { sealOf } from '#tests/support/pdf/signed-pdfs.ts'

/** X.690, 8.3.2: the first nine bits of an integer are neither all zeros nor all ones. */
test('a serial number with an octet too many names no certificate', async () => {
  const efirma = await testEfirma()
  const cms = await sealOf(efirma)(new Uint8Array())
  const serial = Buffer.from(`0214${efirma.certificate.serial}`, 'hex')
  const inSigner = Buffer.from(cms).lastIndexOf(serial) + 2
  const withStart = (first: number, second: number) => {
    const copy = new Uint8Array(cms)
    copy.set([first, second], inSigner)
    return () => readSignedData(copy).signers[0]!.identifier
  }
  expect(withStart(0x00, 0xb0)()).toMatchObject({ serial: expect.stringMatching(/^00b0/) })
  expect(withStart(0xff, 0x30)()).toMatchObject({ serial: expect.stringMatching(/^ff30/) })
  expect(withStart(0x00, 0x50)).toThrow(DerError)
  expect(withStart(0xff, 0xb0)).toThrow(DerError)
})
