import type { AlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { checkSignature, type SignatureCheck, type SignatureFacts } from './signature-algorithm.ts'

/** A certificate, a list or an OCSP answer, as it was read. */
export type Signed = {
  tbs: Uint8Array
  signatureAlgorithm: AlgorithmIdentifier
  signature: Uint8Array
}

/** Whether the key of `signer` signed it. A file asks this about the same answer for each of its certificates. */
export function checkOnce(
  signed: Signed,
  { publicKey: { spki } }: Pick<Certificate, 'publicKey'>,
): SignatureCheck {
  const known = checks.get(signed) ?? new WeakMap<Uint8Array, SignatureCheck>()
  checks.set(signed, known)
  const { tbs, signature, signatureAlgorithm: algorithm } = signed
  const check = known.get(spki) ?? checkSignature({ algorithm, spki, signed: tbs, signature })
  known.set(spki, check)
  return check
}

const checks = new WeakMap<Signed, WeakMap<Uint8Array, SignatureCheck>>()

/** What the signature by `signer` was made with; undefined if its key did not sign. */
export function factsIfSigned(
  signed: Signed,
  signer: Pick<Certificate, 'publicKey'>,
): SignatureFacts | undefined {
  const check = checkOnce(signed, signer)
  return check.kind === 'checked' && check.isVerified ? check.facts : undefined
}
