import { Problem } from '#server/domain/problem.ts'

/** Leading bytes that suffice to recognize a file. */
export const SNIFFED_BYTES = 1024

export type UploadKind = 'pdf' | 'empty' | 'certificate' | 'private-key' | 'unknown'

/**
 * Recognizes a file by its first bytes, so that an e.firma chosen by mistake is rejected before it reaches the
 * disk.
 *
 * @param leading the first 1024 bytes, or the whole file if shorter
 */
export function sniffUpload(leading: Uint8Array): UploadKind {
  if (leading.length === 0) return 'empty'
  const text = Buffer.from(leading.subarray(0, SNIFFED_BYTES)).toString('latin1')
  // Readers look for the header within the first 1024 bytes, and so do we.
  if (text.includes('%PDF-')) return 'pdf'
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return 'private-key'
  if (/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(text)) return 'certificate'
  return sniffDer(leading)
}

/** @throws {Problem} `empty-file`, `private-key-uploaded`, `certificate-uploaded`, `not-a-pdf` */
export function mustLookLikePdf(leading: Uint8Array): void {
  switch (sniffUpload(leading)) {
    case 'pdf':
      return
    case 'empty':
      throw new Problem('empty-file', 'the file has no bytes')
    case 'private-key':
      throw new Problem('private-key-uploaded', 'a private key came instead of a document')
    case 'certificate':
      throw new Problem('certificate-uploaded', 'a certificate came instead of a document')
    case 'unknown':
      throw new Problem('not-a-pdf', 'no %PDF- in the first 1024 bytes')
  }
}

function sniffDer(bytes: Uint8Array): UploadKind {
  const content = enter(bytes, 0)
  if (content === undefined) return 'unknown'
  // PKCS#8, PKCS#1, SEC 1 and PKCS#12 all begin with a version number.
  if (bytes[content] === 0x02) return 'private-key'
  const inner = enter(bytes, content)
  if (inner === undefined) return 'unknown'
  // EncryptedPrivateKeyInfo begins with an AlgorithmIdentifier out of PKCS#5 or PKCS#12 (RFC 5958).
  if (startsWith(bytes, inner, PKCS5) || startsWith(bytes, inner, PKCS12)) return 'private-key'
  // TBSCertificate begins with [0] version (RFC 5280, 4.1), or with the serial number in version 1.
  if (bytes[inner] === 0xa0 || bytes[inner] === 0x02) return 'certificate'
  return 'unknown'
}

/** OBJECT IDENTIFIER 1.2.840.113549.1.5.x */
const PKCS5 = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05]
/** OBJECT IDENTIFIER 1.2.840.113549.1.12.1.x */
const PKCS12 = [0x06, 0x0a, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x01]

/** Offset of the content of the SEQUENCE at `at`; undefined if there is none. */
function enter(bytes: Uint8Array, at: number): number | undefined {
  const length = bytes[at + 1]
  if (bytes[at] !== 0x30 || length === undefined) return undefined
  return at + 2 + (length > 0x80 ? length - 0x80 : 0)
}

function startsWith(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, i) => bytes[at + i] === byte)
}
