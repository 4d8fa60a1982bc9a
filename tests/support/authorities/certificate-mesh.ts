import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { mintCertificate, nameOf } from '#server/demo/certificate-minting.ts'
import { type KeyPair, newKeyPair } from '#server/demo/certification-authority.ts'
import { bitString, sequence, utf8String } from '#server/domain/asn1/der-writer.ts'
import { parseInstant } from '#server/domain/time.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { isAuthority } from './certificate-chains.ts'

/** An RSA public key of this size without a private key: only the cost of checking a signature matters. */
export function rsaKeyOf(bits: number, exponentBits: number): KeyObject {
  const modulus = randomBytes(bits / 8)
  modulus[0] = 0x80 | (modulus[0] ?? 0)
  modulus[modulus.length - 1] = 1 | (modulus.at(-1) ?? 0)
  const exponent = Buffer.alloc(exponentBits / 8, 0xff)
  const jwk = {
    kty: 'RSA',
    n: modulus.toString('base64url'),
    e: exponent.toString('base64url'),
  }
  return createPublicKey({ key: jwk, format: 'jwk' })
}

let keys: Promise<[KeyPair, KeyPair]> | undefined

/**
 * Certificates that name each other, in which each person may come from each authority, and every signature has to
 * be checked to learn that it does not. `keyPair` is the key of all the people.
 */
export async function certificateMesh(options: {
  people: number
  authorities: number
  bits: number
  exponentBits: number
}): Promise<{ people: Certificate[]; keyPair: KeyPair; authorities: Certificate[] }> {
  const { people, authorities, bits, exponentBits } = options
  // The signatures are replaced: a short key makes them soonest.
  keys ??= Promise.all([newKeyPair(), newKeyPair(1024)])
  const [own, minter] = await keys
  let serial = 0
  const minted = (name: string, publicKey: KeyObject, extensions: readonly Uint8Array[]) => {
    serial += 1
    return withSignature(
      bits,
      mintCertificate({
        serial: String(serial).padStart(20, '0'),
        issuer: named('Malla'),
        subject: named(name),
        publicKey,
        notBefore: parseInstant('2020-01-01'),
        notAfter: parseInstant('2040-01-01'),
        extensions,
        issuerKey: minter.privateKey,
      }),
    )
  }
  return {
    keyPair: own,
    people: Array.from({ length: people }, (_, index) =>
      minted(`Persona ${index}`, own.publicKey, []),
    ),
    authorities: Array.from({ length: authorities }, () =>
      minted('Malla', rsaKeyOf(bits, exponentBits), isAuthority()),
    ),
  }
}

const named = (text: string) => nameOf([{ oid: '2.5.4.3', value: utf8String(text) }])

/** OpenSSL looks no further at a signature that is not as long as the key, or is more than its modulus. */
function withSignature(bits: number, der: Uint8Array): Certificate {
  const { tbs, signatureAlgorithm } = readCertificate(der)
  const signature = randomBytes(bits / 8)
  signature[0] = 0
  return readCertificate(sequence(tbs, signatureAlgorithm.bytes, bitString(signature)))
}
