import { expect, test } from 'vitest'
import { wipingEfirma } from '#server/steps/signing/wipe-efirma.ts'

const shown = () => ({
  certificate: Uint8Array.of(1, 2),
  privateKey: Uint8Array.of(3, 4),
  pkcs12: Uint8Array.of(5, 6),
  password: 'x',
  consent: true,
})

const bytesOf = ({ certificate, privateKey, pkcs12 }: ReturnType<typeof shown>) => [
  ...certificate,
  ...privateKey,
  ...pkcs12,
]

test('files of an e.firma: are whole during the work, and zeros after it', async () => {
  const files = shown()
  expect(await wipingEfirma(files, async () => bytesOf(files))).toEqual([1, 2, 3, 4, 5, 6])
  expect(bytesOf(files)).toEqual(Array(6).fill(0))
})

test('files of an e.firma: are zeros also after work that failed', async () => {
  const files = shown()
  const failed = wipingEfirma(files, async () => {
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(bytesOf(files)).toEqual(Array(6).fill(0))
})

test('two files of an e.firma, without a PKCS#12 file, are wiped alike', async () => {
  const { pkcs12: _, ...files } = shown()
  await wipingEfirma(files, async () => undefined)
  expect([...files.certificate, ...files.privateKey]).toEqual([0, 0, 0, 0])
})
