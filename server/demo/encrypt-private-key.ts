import { createCipheriv, type KeyObject, pbkdf2Sync, randomBytes } from 'node:crypto'
import { integer, octetString, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { ID_DES_EDE3_CBC, ID_PBES2, ID_PBKDF2 } from '#server/domain/asn1/object-identifiers.ts'

const ITERATIONS = 2048

/**
 * The `.key` of an e.firma as the SAT's program writes it: PBES2 with PBKDF2 (HMAC-SHA-1, 2048 rounds)
 * and des-EDE3-CBC. Unlike there, salt and initialization vector are random.
 *
 * Only for demonstration keys: 2048 rounds are too few for one that is worth stealing.
 *
 * @see RFC 8018, 6.2
 */
export function encryptPrivateKey(key: KeyObject, password: string): Uint8Array {
  const salt = randomBytes(8)
  const iv = randomBytes(8)
  const derived = pbkdf2Sync(Buffer.from(password, 'utf8'), salt, ITERATIONS, 24, 'sha1')
  const cipher = createCipheriv('des-ede3-cbc', derived, iv)
  const plain = key.export({ type: 'pkcs8', format: 'der' })
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  plain.fill(0)
  const derivation = sequence(oid(ID_PBKDF2), sequence(octetString(salt), integer(ITERATIONS)))
  const scheme = sequence(oid(ID_DES_EDE3_CBC), octetString(iv))
  const pbes2 = sequence(oid(ID_PBES2), sequence(derivation, scheme))
  return sequence(pbes2, octetString(encrypted))
}
