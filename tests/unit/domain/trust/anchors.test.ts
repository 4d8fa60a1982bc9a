import { beforeAll, expect, test } from 'vitest'
import { anchorsFromCertificates } from '#server/domain/trust/anchors.ts'
import { isAuthorityForTesting } from '#server/domain/trust/authorities-for-testing.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'

const TRUST = { label: 'Una carpeta', forTesting: false, revocation: 'required' } as const
beforeAll(async () => void (await testAuthority()), 60_000)

test('the root is the anchor, the others stand between; alone, each authority is one', async () => {
  const { root, issuing } = await testAuthority()
  const { certificate } = await testEfirma()
  const both = anchorsFromCertificates([certificate, issuing, root], TRUST)
  expect(both.anchors.map((anchor) => anchor.certificate)).toEqual([root])
  expect(both.candidates).toEqual([certificate, issuing])
  const alone = anchorsFromCertificates([certificate, issuing], TRUST)
  expect(alone.anchors.map((anchor) => anchor.certificate)).toEqual([issuing])
})

test('a demonstration authority is for tests wherever it lies, its e.firmas are like any', async () => {
  const { root, issuing } = await testAuthority()
  const { certificate } = await testEfirma()
  for (const authority of [root, issuing])
    expect(anchorsFromCertificates([authority], TRUST).anchors).toEqual([
      { certificate: authority, ...TRUST, forTesting: true },
    ])
  expect(isAuthorityForTesting(certificate)).toBe(false)
})
