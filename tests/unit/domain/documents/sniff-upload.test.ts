import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { mustLookLikePdf, sniffUpload } from '#server/domain/documents/sniff-upload.ts'

const text = (content: string) => new TextEncoder().encode(content)
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encrypted = { cipher: 'aes-256-cbc', passphrase: 'a0123456789' }

/** How every version 3 certificate begins: SEQUENCE, SEQUENCE, [0] { INTEGER 2 }. */
const certificate = Uint8Array.of(
  0x30,
  0x82,
  5,
  0xe0,
  0x30,
  0x82,
  3,
  0xc8,
  0xa0,
  3,
  2,
  1,
  2,
  2,
  0x14,
)

test.each([
  ['empty', new Uint8Array(0)],
  ['pdf', text('%PDF-1.7\n')],
  ['pdf', text(`${'\n'.repeat(900)}%PDF-1.4\n`)],
  ['unknown', text(`${'\n'.repeat(1020)}%PDF-1.4\n`)],
  ['unknown', text('PK\u0003\u0004 a word processor')],
  ['unknown', text('0')],
  ['certificate', certificate],
  ['certificate', text('-----BEGIN CERTIFICATE-----\nMIIF')],
  ['private-key', privateKey.export({ format: 'der', type: 'pkcs8', ...encrypted })],
  ['private-key', text(String(privateKey.export({ format: 'pem', type: 'pkcs8', ...encrypted })))],
  ['private-key', privateKey.export({ format: 'der', type: 'pkcs8' })],
  ['private-key', privateKey.export({ format: 'der', type: 'pkcs1' })],
  ['private-key', text(String(privateKey.export({ format: 'pem', type: 'pkcs1' })))],
  ['unknown', publicKey.export({ format: 'der', type: 'spki' })],
])('%s', (kind, leading) => {
  expect(sniffUpload(new Uint8Array(leading))).toBe(kind)
})

test.each([
  ['empty-file', new Uint8Array(0)],
  ['not-a-pdf', text('hola')],
  ['certificate-uploaded', certificate],
  ['private-key-uploaded', privateKey.export({ format: 'der', type: 'pkcs8', ...encrypted })],
])('refused as %s', (code, leading) => {
  expect(() => mustLookLikePdf(leading)).toThrow(expect.objectContaining({ code }))
})
