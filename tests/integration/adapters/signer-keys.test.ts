import { expect, test } from 'vitest'
import { open } from '#server/adapters/signer-keys/open.ts'
import { createSignerKeys } from '#server/adapters/signer-keys.ts'
import { signWith } from '#server/domain/pkcs/private-key.ts'
import type { Duration } from '#server/domain/time.ts'
import { TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { longestTaskOf } from '#tests/support/cpu-time.ts'
import { timesSlower } from '#tests/support/floor.ts'
import { pkcs12Of } from '#tests/support/keys/pkcs12-files.ts'

const signerKeys = createSignerKeys()

/** PKCS#12's own derivation, as slow as it may be: each round is a call of the platform. */
const SLOW = '-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1 -iter 100000'.split(' ')

test('a .key is opened in a thread of its own; the key signs and cannot be read out', async () => {
  const { key } = await testEfirma()
  const file = Uint8Array.from(key)
  const outcome = await signerKeys.openPrivateKey(file, TEST_PASSWORD)
  if (outcome.kind !== 'opened') throw new Error(outcome.kind)
  expect(file).toEqual(Uint8Array.from(key))
  expect(outcome.opened.key.extractable).toBe(false)
  await expect(crypto.subtle.exportKey('pkcs8', outcome.opened.key)).rejects.toThrow()
  expect(await signWith(outcome.opened, new Uint8Array(10))).toHaveLength(256)
})

test('a PKCS#12 file gives its certificates with their keys', async () => {
  const efirma = await testEfirma()
  const outcome = await signerKeys.openPkcs12(pkcs12Of([efirma]), TEST_PASSWORD)
  if (outcome.kind !== 'opened') throw new Error(outcome.kind)
  expect(outcome.pairs.map(({ certificate }) => certificate)).toEqual([efirma.certificate.der])
  expect(outcome.pairs[0].opened.key.extractable).toBe(false)
})

test('a wrong password and another file are refused', async () => {
  const { key, cer } = await testEfirma()
  expect(await signerKeys.openPrivateKey(key, 'otra')).toEqual({ kind: 'wrong-password' })
  expect(await signerKeys.openPkcs12(key, TEST_PASSWORD)).toEqual({ kind: 'not-a-pkcs12' })
  expect((await signerKeys.openPrivateKey(cer, TEST_PASSWORD)).kind).not.toBe('opened')
})

test('a slow file keeps no request waiting, and is ended when it takes too long', async () => {
  const slow = pkcs12Of([await testEfirma()], SLOW)
  let kind = ''
  const longest = await longestTaskOf(async () => {
    kind = (await signerKeys.openPkcs12(slow, TEST_PASSWORD)).kind
  })
  expect(kind).toBe('opened')
  expect(longest).toBeLessThan(200 * (await timesSlower()))
  const hasty = createSignerKeys(300 as Duration)
  await expect(hasty.openPkcs12(slow, TEST_PASSWORD)).rejects.toMatchObject({
    code: 'too-many-attempts',
  })
})

test('the thread overwrites the file and the password that it was given', async () => {
  const { key } = await testEfirma()
  const task = {
    kind: 'openPrivateKey',
    file: Uint8Array.from(key),
    password: new TextEncoder().encode(TEST_PASSWORD),
  } as const
  expect((await open(task)).kind).toBe('opened')
  expect([...task.file, ...task.password].every((octet) => octet === 0)).toBe(true)
})
