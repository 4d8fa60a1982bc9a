import { expect, test } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { openPrivateKey } from '#server/domain/pkcs/private-key.ts'
import type { SignerKeys } from '#server/ports/signer-keys.ts'
import { checkEfirma, type ShownEfirma } from '#server/steps/signing/check-efirma.ts'
import { TEST_NOW, TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'

const ANA = Rfc.parse('MULA800101AB1')
const FACTS = { now: TEST_NOW, rfc: ANA, zone: 'America/Mexico_City' }
const NONE = new Uint8Array()

const unused: SignerKeys = {
  openPrivateKey: () => Promise.reject(new Error('no key is opened')),
  openPkcs12: () => Promise.reject(new Error('no key is opened')),
}

function check(shown: Partial<ShownEfirma>, signerKeys: Partial<SignerKeys> = {}) {
  const all = { certificate: NONE, privateKey: NONE, password: TEST_PASSWORD, consent: true }
  const system = { memory: createMemory(), signerKeys: { ...unused, ...signerKeys } }
  return checkEfirma(system, { ...all, ...shown }, FACTS)
}

test.each([
  ['a certificate', { certificate: Uint8Array.of(1) }],
  ['a private key', { privateKey: Uint8Array.of(1) }],
  ['both files of an e.firma', { certificate: Uint8Array.of(1), privateKey: Uint8Array.of(1) }],
])('PKCS#12 file beside %s: is refused, and no key is opened', async (_, files) => {
  const checked = await check({ pkcs12: Uint8Array.of(1), ...files })
  expect(checked).toMatchObject({ kind: 'refused', code: 'incomplete' })
  expect(checked.kind === 'refused' && Object.keys(checked.sentences)).toEqual(['pkcs12'])
})

test('PKCS#12 file with the pairs of several people: that of the signer is used', async () => {
  const [other, own] = [await testEfirma({ rfc: 'NUPB801201QX7' }), await testEfirma()]
  const outcome = await openPrivateKey(own.key, TEST_PASSWORD)
  if (outcome.kind !== 'opened') throw new Error(outcome.kind)
  const { opened } = outcome
  const [first, second] = [other, own].map(({ cer }) => ({ certificate: cer, opened }))
  if (!first || !second) throw new Error('two pairs')
  const openPkcs12 = async () => ({ kind: 'opened', pairs: [first, second] }) as const
  const checked = await check({ pkcs12: Uint8Array.of(1) }, { openPkcs12 })
  expect(checked).toMatchObject({ kind: 'opened', field: 'pkcs12' })
  expect(checked.kind === 'opened' && Buffer.from(checked.certificate)).toEqual(
    Buffer.from(own.cer),
  )
})

test.each([
  ['wrong-password', 'password'],
  ['unsupported-encryption', 'privateKey'],
] as const)(
  'private key that is not opened, %s: the sentence is at its field',
  async (kind, field) => {
    const { cer, key } = await testEfirma()
    const shown = { certificate: cer, privateKey: key }
    const checked = await check(shown, { openPrivateKey: async () => ({ kind }) })
    expect(checked).toMatchObject({ kind: 'refused', code: kind })
    expect(checked.kind === 'refused' && Object.keys(checked.sentences)).toEqual([field])
  },
)
