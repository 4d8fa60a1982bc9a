import { pemBlock } from '#server/domain/asn1/pem.ts'
import { concatBytes } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { PublicKey } from '#server/domain/x509/public-key.ts'
import {
  type AttestationFault,
  type AttestedFacts,
  readAttestation,
} from './attestation-statement.ts'
import { type AttestationVerdict, judgeAttestation } from './judge-attestation.ts'
import { makesWeakRsaKeys } from './yubikey.ts'

/** An attestation and the verdict about it. Plain data: it crosses threads. */
export type AttestationReading =
  | {
      kind: 'read'
      facts: AttestedFacts
      verdict: AttestationVerdict
      /** Of the statement. */
      sha256: Sha256
      /** The key that the device made. */
      key: {
        kind: PublicKey['kind']
        /** Of an RSA key. */
        bits: number | null
        /** Dotted decimal of the curve of an EC key. */
        curve: string | null
        /** SHA-256 of its SubjectPublicKeyInfo. */
        sha256: Sha256
        /** An RSA key of a firmware whose RSA keys can be computed. */
        isWeak: boolean
      }
      /** As PEM: the statement first, then what came with it. Nothing is encoded anew. */
      certificates: Uint8Array
    }
  | { kind: 'refused'; fault: AttestationFault }

/** @param makers DER of the maker's certificates that count */
export function attestationReading(
  files: readonly Uint8Array[],
  makers: readonly Uint8Array[],
  at: Instant,
): AttestationReading {
  const attestation = readAttestation(files)
  if (typeof attestation === 'string') return { kind: 'refused', fault: attestation }
  const { statement, facts, others } = attestation
  const { kind, modulus, curve, spki } = statement.publicKey
  return {
    kind: 'read',
    facts,
    verdict: judgeAttestation(attestation, makers.map(readCertificate), at),
    sha256: sha256(statement.der),
    key: {
      kind,
      bits: modulus ? 8 * modulus.length : null,
      curve: curve ?? null,
      sha256: sha256(spki),
      isWeak: modulus !== undefined && makesWeakRsaKeys(facts.firmware),
    },
    certificates: concatBytes(
      ...[statement, ...others].map(({ der }) =>
        new TextEncoder().encode(pemBlock(der, 'CERTIFICATE')),
      ),
    ),
  }
}
