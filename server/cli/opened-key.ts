import { acceptCertificate } from '#server/domain/signing/accept-certificate.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { sentenceOfEfirma } from '#server/words/efirma.ts'

/** Why nothing was signed; `sentence` es-MX. */
export type Refusal = { kind: 'refused'; sentence: string }

/** A certificate that may sign now, with access to its key. */
export type OpenedKey = {
  kind: 'opened'
  certificate: Certificate
  /** From the signer to the anchor. */
  path: readonly Certificate[]
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the bytes. @throws {Refused} if a token refuses */
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

/** The key refused to sign; `message` es-MX. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

export const ZONE = 'America/Mexico_City'

export const refuse = (sentence: string): Refusal => ({ kind: 'refused', sentence })

/** Decides whether a certificate, DER or PEM, may be used. */
export type Accept = (
  certificate: Uint8Array,
) => { kind: 'accepted'; certificate: Certificate; path: readonly Certificate[] } | Refusal

/** Accepts every certificate that may sign at the policy's instant. */
export const acceptedUnder =
  (policy: VerificationPolicy): Accept =>
  (certificate) => {
    const accepted = acceptCertificate(certificate, { now: policy.at, trust: policy })
    return accepted.kind === 'refused' ? refuse(sentenceOfEfirma(accepted, ZONE)) : accepted
  }

/**
 * The first pair with an accepted certificate; without one, why the first is not accepted. Files and tokens
 * often keep an old certificate beside its renewal.
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
