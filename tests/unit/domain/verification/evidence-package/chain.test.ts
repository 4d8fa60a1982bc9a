import { expect, test } from 'vitest'
import { chainOver } from '#server/domain/verification/evidence-package/chain.ts'
import { pemOf } from '#server/domain/verification/evidence-package/section.ts'
import { revocationCast } from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

test('chain: its file has the authorities above a certificate, or the root alone above itself', async () => {
  const { root, issuing, leaf } = await revocationCast()
  const trust = { anchors: [{ certificate: root }], candidates: [issuing] } as never
  const fileOver = (certificate: typeof root) =>
    chainOver(certificate, trust, TEST_NOW, 'cadena.pem')?.file.bytes
  expect(fileOver(leaf)).toEqual(pemOf([issuing, root]))
  expect(fileOver(issuing)).toEqual(pemOf([root]))
  expect(fileOver(root)).toEqual(pemOf([root]))
})
