import { latin1 } from '#server/domain/asn1/der-values.ts'
import {
  type Bytes,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
} from '#server/domain/asn1/der-writer.ts'
import { ID_RSA } from '#server/domain/asn1/object-identifiers.ts'
import { decryptAes } from './aes-cbc.ts'
import { md5 } from './md5.ts'
import { decryptTripleDes } from './triple-des.ts'

/** An RSA key of PKCS#1 that OpenSSL encrypted in PEM, as it did before PKCS#8. */
export type OldPemKey = {
  kind: 'old-pem'
  cipher: 'AES-CBC' | 'des-EDE3-CBC'
  keyBytes: number
  iv: Uint8Array
  encrypted: Uint8Array
}

const CIPHERS: Record<string, Pick<OldPemKey, 'cipher' | 'keyBytes'>> = {
  'AES-128-CBC': { cipher: 'AES-CBC', keyBytes: 16 },
  'AES-192-CBC': { cipher: 'AES-CBC', keyBytes: 24 },
  'AES-256-CBC': { cipher: 'AES-CBC', keyBytes: 32 },
  'DES-EDE3-CBC': { cipher: 'des-EDE3-CBC', keyBytes: 24 },
}

/** A key of 4,096 bits has 3,300 digits. */
const MOST_CHARACTERS = 32_768

const BLOCK =
  /-----BEGIN RSA PRIVATE KEY-----\r?\nProc-Type: 4,ENCRYPTED\r?\nDEK-Info: ([A-Z0-9-]{1,20}),([0-9A-Fa-f]{16,32})\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)-----END RSA PRIVATE KEY-----/

/**
 * The first encrypted RSA key of an old PEM file; undefined when there is none, or when its cipher is another.
 *
 * @see RFC 1421, 4.6
 */
export function readOldPem(file: Uint8Array): OldPemKey | undefined {
  const [, name = '', salt = '', body = ''] =
    latin1(file.subarray(0, MOST_CHARACTERS)).match(BLOCK) ?? []
  const cipher = CIPHERS[name]
  const iv = Uint8Array.from(salt.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  if (!cipher || iv.length !== (cipher.cipher === 'AES-CBC' ? 16 : 8)) return undefined
  try {
    const encrypted = Uint8Array.from(atob(body.replace(/\s+/g, '')), (one) => one.charCodeAt(0))
    return { kind: 'old-pem', ...cipher, iv, encrypted }
  } catch {
    return undefined
  }
}

/** The key as PrivateKeyInfo, to be wiped by the caller; undefined when the padding says that the password is wrong. */
export async function decryptOldPem(key: OldPemKey, password: string): Promise<Bytes | undefined> {
  const derived = deriveKey(password, key)
  const plain =
    key.cipher === 'AES-CBC'
      ? await decryptAes(derived, key.iv, key.encrypted)
      : decryptTripleDes(derived, key.iv, key.encrypted)
  derived.fill(0)
  if (!plain) return undefined
  const wrapped = octetString(plain)
  plain.fill(0)
  const info = sequence(integer(0), sequence(oid(ID_RSA), nullValue()), wrapped)
  wrapped.fill(0)
  return info
}

/** EVP_BytesToKey with MD5 and one round, which is all that OpenSSL does here. */
function deriveKey(password: string, { keyBytes, iv }: OldPemKey): Bytes {
  const derived = new Uint8Array(keyBytes)
  const salted = [...new TextEncoder().encode(password), ...iv.subarray(0, 8)]
  let digest = new Uint8Array()
  for (let at = 0; at < keyBytes; at += digest.length) {
    const input = Uint8Array.from([...digest, ...salted])
    digest = md5(input)
    input.fill(0)
    derived.set(digest.subarray(0, keyBytes - at), at)
  }
  salted.fill(0)
  return derived
}
