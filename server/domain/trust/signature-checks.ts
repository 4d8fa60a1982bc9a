import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { checkIssuedBy } from './issued-by.ts'
import type { SignatureCheck } from './signature-algorithm.ts'

/** Answers whether one certificate issued another until so many different questions were asked. */
export type SignatureChecks = {
  /** Undefined for a question that is one too many. A question that was asked before costs nothing. */
  check(certificate: Certificate, issuer: Certificate): SignatureCheck | undefined
}

/**
 * A budget for questions about the certificates of a stranger. It counts questions, not time: the same file has
 * the same answer on every machine.
 */
export function signatureChecks(most: number): SignatureChecks {
  const answers = new Map<string, SignatureCheck>()
  return {
    check(certificate, issuer) {
      const question = `${sha256(certificate.der)} ${sha256(issuer.publicKey.spki)}`
      const known = answers.get(question)
      if (known || answers.size >= most) return known
      const answer = checkIssuedBy(certificate, issuer)
      answers.set(question, answer)
      return answer
    },
  }
}
