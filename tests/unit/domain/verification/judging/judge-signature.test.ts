import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { answerAbout } from '#tests/support/pdf/long-term-pdfs.ts'
import {
  handSigned,
  type Seal,
  sealOf,
  testPolicy,
  verified,
} from '#tests/support/pdf/signed-pdfs.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
}, 60_000)

test('signature: an authority answers for the name only if the key of the certificate signed', async () => {
  const own = await verified(await handSigned({ seal: sealOf(efirma) }))
  expect(own.first).toMatchObject({ valid: true, signer: { vouched: true } })
  // The last bytes of the CMS are the signature.
  const forged: Seal = async (signed) => {
    const cms = Buffer.from(await sealOf(efirma)(signed))
    cms[cms.length - 9]! ^= 1
    return cms
  }
  const other = await verified(await handSigned({ seal: forged }))
  expect(other).toMatchObject({
    verdict: 'INVALID',
    first: { intact: true, valid: false, signer: { vouched: false } },
  })
})

test('signature: reports what is known about the revocation of its certificate', async () => {
  const file = await handSigned({ seal: sealOf(efirma) })
  const policy = await testPolicy()
  expect((await verified(file, policy)).first.revocation.status).toBe('unknown')
  const der = await answerAbout(efirma.certificate, policy.at)
  const evidence = { ocsp: [{ der, source: 'fetched' as const }], crls: [] }
  expect((await verified(file, { ...policy, evidence })).first.revocation).toMatchObject({
    status: 'good',
    source: 'ocsp',
  })
})
