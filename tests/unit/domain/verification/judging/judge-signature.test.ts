import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import { answerAbout, sealWithStamps } from '#tests/support/pdf/long-term-pdfs.ts'
import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import {
  handSigned,
  type Seal,
  sealOf,
  testPolicy,
  verified,
} from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

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

test('signature: a timestamp over something else is warned of', async () => {
  const by = await stampingAuthority()
  const stamp = stampOver(Buffer.from('otra'), { by, time: TEST_NOW })
  const { first } = await verified(
    await handSigned({ seal: sealWithStamps(efirma, () => [stamp]) }),
  )
  expect(codesOf(first.warnings)).toContain('timestamp-imprint-differs')
})

test('signature: it is unclear what it covers where what was signed is read in two ways', async () => {
  const page = '<</Type/Page/Parent 2 0 R/Annots[20 0 R]/Contents 12 0 R/Contents 11 0 R>>'
  const bodies = { 10: page, 12: streamBody('0 0 9 9 re f') }
  const { first } = await verified(await handSigned({ seal: sealOf(efirma), bodies }))
  expect(first).toMatchObject({ intact: true, valid: true, coverage: 'UNCLEAR' })
})

test('signature: is for testing only if an authority that counts is', async () => {
  const file = await handSigned({ seal: sealOf(efirma) })
  const policy = await testPolicy()
  const anchors = policy.anchors.map((anchor) => ({ ...anchor, forTesting: false }))
  const reports = [await verified(file, policy), await verified(file, { ...policy, anchors })]
  expect(reports.map(({ first }) => first.forTesting)).toEqual([true, false])
})
