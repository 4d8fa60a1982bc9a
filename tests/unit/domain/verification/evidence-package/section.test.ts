import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { pemOf } from '#server/domain/verification/evidence-package/section.ts'
import { testAuthority } from '#tests/support/authorities/test-authority.ts'

test('certificates of the package: stand one after the other, as other programs read them', async () => {
  const { root, issuing } = await testAuthority()
  const text = new TextDecoder().decode(pemOf([issuing, root]))
  const blocks = text.split(/(?<=-----END CERTIFICATE-----\n)/)
  expect(blocks.map((block) => Buffer.from(new X509Certificate(block).raw))).toEqual(
    [issuing, root].map(({ der }) => Buffer.from(der)),
  )
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBe(64)
})
