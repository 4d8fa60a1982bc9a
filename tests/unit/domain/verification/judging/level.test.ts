import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { after as later, minutes } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { mintCertificateList } from '#tests/support/authorities/certificate-lists.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  type StampingAuthority,
  stampingAuthority,
  stampOver,
} from '#tests/support/authorities/time-stamps.ts'
import { sealWithStamps, withValidationData } from '#tests/support/pdf/long-term-pdfs.ts'
import { handSigned, testPolicy, verified } from '#tests/support/pdf/signed-pdfs.ts'

let efirma: Efirma
let authority: StampingAuthority
beforeAll(async () => {
  efirma = await testEfirma()
  authority = await stampingAuthority()
}, 60_000)

test('level: a timestamp with certificates and lists about all of them in the file makes B-LT', async () => {
  const { root, issuing, issuingKey } = await testAuthority()
  const seal = sealWithStamps(efirma, (signature) => [
    stampOver(signature, { by: authority, time: TEST_NOW }),
  ])
  const stamped = await handSigned({ seal })
  const crl = mintCertificateList({
    issuer: issuing,
    issuerKey: issuingKey.privateKey,
    thisUpdate: later(TEST_NOW, minutes(1)),
    nextUpdate: later(TEST_NOW, minutes(90)),
  })
  const policy = await testPolicy({ at: later(TEST_NOW, minutes(60)) })
  const levelWith = async (crls: Uint8Array[]) => {
    const certificates = [issuing, root]
    const { first } = await verified(withValidationData(stamped, { certificates, crls }), policy)
    return first.level
  }
  expect([await levelWith([]), await levelWith([crl])]).toEqual(['B-T', 'B-LT'])
})

test('level: a chain that leads neither to a root nor to an authority that is trusted is not whole', async () => {
  const { root, issuing, issuingKey } = await testAuthority()
  const seal = sealWithStamps(efirma, (signature) => [
    stampOver(signature, { by: authority, time: TEST_NOW }),
  ])
  const crl = mintCertificateList({
    issuer: issuing,
    issuerKey: issuingKey.privateKey,
    thisUpdate: later(TEST_NOW, minutes(1)),
    nextUpdate: later(TEST_NOW, minutes(90)),
  })
  const stamped = await handSigned({ seal })
  const { anchors, ...policy } = await testPolicy({ at: later(TEST_NOW, minutes(60)) })
  const levelWith = async (certificates: Certificate[], trusted: Certificate[]) => {
    const file = withValidationData(stamped, { certificates, crls: [crl] })
    const of = trusted.map((certificate) => ({ ...anchors[0]!, certificate }))
    return (await verified(file, { ...policy, anchors: of })).first.level
  }
  expect(await levelWith([issuing, root], [])).toBe('B-LT')
  expect(await levelWith([issuing], [])).toBe('B-T')
  expect(await levelWith([issuing], [root])).toBe('B-LT')
  expect(await levelWith([], [issuing])).toBe('B-LT')
  // Of a certificate that is trusted itself, its issuer says whether it was revoked.
  expect(await levelWith([], [efirma.certificate, authority.certificate])).toBe('B-T')
})
