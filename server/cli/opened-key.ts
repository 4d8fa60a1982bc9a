import { acceptCertificate } from '#server/domain/signing/accept-certificate.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { sentenceOfEfirma } from '#server/words/efirma.ts'

/** `sentence` es-MX: why nothing was signed. */
export type Refusal = { kind: 'refused'; sentence: string }

/** A certificate that may sign now, and its key, wherever it lies. */
export type OpenedKey = {
  kind: 'opened'
  certificate: Certificate
  /** From the signer to the anchor. */
  path: readonly Certificate[]
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the bytes. @throws {Refused} when a token says no */
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

/** The key would not sign; `message` es-MX. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

export const ZONE = 'America/Mexico_City'

export const refuse = (sentence: string): Refusal => ({ kind: 'refused', sentence })

/** Says of a certificate, DER or PEM, whether it may be used. */
export type Accept = (
  certificate: Uint8Array,
) => { kind: 'accepted'; certificate: Certificate; path: readonly Certificate[] } | Refusal

/** Whatever may sign at the instant of the policy, whoever holds it. */
export const acceptedUnder =
  (policy: VerificationPolicy): Accept =>
  (certificate) => {
    const accepted = acceptCertificate(certificate, { now: policy.at, trust: policy })
    return accepted.kind === 'refused' ? refuse(sentenceOfEfirma(accepted, ZONE)) : accepted
  }

/**
 * The pair whose certificate is accepted; without one, why the first of them is not. Files and tokens keep
 * the certificate that was renewed beside the one that renewed it.
 */
export function acceptedPair<T extends { certificate: Certificate }>(
  pairs: readonly [T, ...T[]],
  accept: Accept,
): { kind: 'accepted'; pair: T; path: readonly Certificate[] } | Refusal {
  for (const pair of pairs) {
    const accepted = accept(pair.certificate.der)
    if (accepted.kind === 'accepted') return { kind: 'accepted', pair, path: accepted.path }
  }
  const first = accept(pairs[0].certificate.der)
  if (first.kind === 'accepted') throw new Error('accepted and refused at once')
  return refuse(first.sentence)
}
