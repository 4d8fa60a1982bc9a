import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { DOUBTFUL, over } from '#tests/attacks/hidden-content.ts'
import { certifying, signDeed, signedDeed } from '#tests/attacks/sign-deed.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import {
  answerAbout,
  sealWithStamps,
  withDocumentStamp,
} from '#tests/support/pdf/long-term-pdfs.ts'
import { misnamedSeal } from '#tests/support/pdf/misnamed-seal.ts'
import { appendTable } from '#tests/support/pdf/pdf-builders.ts'
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
  expect(own.first).toMatchObject({ valid: true, level: 'B-B', signer: { vouched: true } })
  // The last bytes of the CMS are the signature.
  const forged: Seal = async (signed) => {
    const cms = Buffer.from(await sealOf(efirma)(signed))
    cms[cms.length - 9]! ^= 1
    return cms
  }
  const other = await verified(await handSigned({ seal: forged }))
  expect(other).toMatchObject({
    verdict: 'INVALID',
    first: { intact: true, valid: false, level: 'NOT_PADES', signer: { vouched: false } },
  })
})

test('signature: an authority for timestamps does not answer for the name of a signer', async () => {
  const file = await handSigned({ seal: sealOf(efirma) })
  const { anchors, ...policy } = await testPolicy()
  const { first } = await verified(file, { ...policy, anchors: [], timestampAnchors: anchors })
  expect(first).toMatchObject({ valid: true, trusted: false, signer: { vouched: false } })
})

test('signature: one that names another certificate reaches no level', async () => {
  const seal = sealOf({ ...efirma, cer: Buffer.from('otro') })
  const { first } = await verified(await handSigned({ seal }))
  expect(first).toMatchObject({ intact: true, valid: true, level: 'NOT_PADES' })
})

test('signature: the time that it claims is told, if it claims one', async () => {
  const claimed = async (time?: string) => {
    const file = await handSigned({ seal: sealOf(efirma), ...(time !== undefined && { time }) })
    return (await verified(file)).first.claimedTime
  }
  expect([await claimed(), await claimed('')]).toEqual(['2026-11-20T15:00:00.000Z', null])
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

test('signature: that it names another issuer of its certificate is said, and leaves it valid', async () => {
  const { verdict, first } = await verified(await handSigned({ seal: misnamedSeal(efirma) }))
  expect(verdict).toBe('VALID')
  expect(codesOf(first.warnings)).toContain('issuer-misnamed')
})

test.each([
  ['where it allows no more', ''],
  ['where it allows signatures', certifying(2)],
  ['also where it allows notes', certifying(3)],
])('signature: in doubt where a later one may cover what was signed, %s', async (_, entries) => {
  const pale = '0.7 G 1 w 30 130 m 190 250 l S'
  const { make } = over('lines of a pale stamp', pale, DOUBTFUL, { entries })
  const { verdict, signatures } = await verified(await make())
  expect(verdict).toBe('INDETERMINATE')
  expect(signatures[0]).toMatchObject({ intact: true, indication: 'INDETERMINATE' })
  expect(codesOf(signatures[0]!.changes)).toContain('signature-may-cover-content')
})

test('timestamp: what is wrong with a later one is not said of it', async () => {
  const by = await stampingAuthority()
  const stamp = (over: Uint8Array) => stampOver(over, { by, time: TEST_NOW })
  const once = withDocumentStamp(await handSigned({ seal: sealOf(efirma) }), stamp)
  const twice = withDocumentStamp(once, () => stamp(Buffer.from('otra')))
  const { signatures } = await verified(twice)
  const isTold = signatures.map(({ warnings }) =>
    codesOf(warnings).includes('timestamp-imprint-differs'),
  )
  // The signature has both timestamps.
  expect(isTold.slice(0, 2)).toEqual([true, false])
})

test('signature: it is unclear what it covers where what was signed is read in two ways', async () => {
  const deed = await signedDeed()
  const twofold = appendTable(deed.file, {}, { trailer: '/Root 99 0 R/Root 1 0 R' })
  const { file } = await signDeed({ ...deed, file: twofold }, { number: 60 })
  const { signatures } = await verified(file)
  expect(signatures).toMatchObject([
    { coverage: 'ENTIRE_REVISION' },
    { coverage: 'UNCLEAR', intact: true, valid: true },
  ])
})

test('signature: is for testing only if an authority that counts is', async () => {
  const file = await handSigned({ seal: sealOf(efirma) })
  const policy = await testPolicy()
  const anchors = policy.anchors.map((anchor) => ({ ...anchor, forTesting: false }))
  const reports = [await verified(file, policy), await verified(file, { ...policy, anchors })]
  expect(reports.map(({ first }) => first.forTesting)).toEqual([true, false])
  const by = await stampingAuthority()
  const stamped = (over?: Uint8Array) =>
    handSigned({
      seal: sealWithStamps(efirma, (signature) => [
        stampOver(over ?? signature, { by, time: TEST_NOW }),
      ]),
    })
  const stamping = { ...policy, anchors, timestampAnchors: policy.anchors }
  expect((await verified(await stamped(), stamping)).first.forTesting).toBe(true)
  const ofOther = await verified(await stamped(Buffer.from('otra')), stamping)
  expect(ofOther.first.forTesting).toBe(false)
})
