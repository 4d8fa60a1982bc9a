import { areEqual } from '#server/domain/asn1/der-values.ts'
import type { SignersRevocation } from '#server/domain/signing/signers-revocation.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { System } from '#server/system.ts'

/** `unknown`: no answer came, or none is proven. `not-askable`: the policy knows no issuer, or no place of it to ask. */
export type IssuersWord = SignersRevocation | { status: 'not-askable' }

/**
 * Asks the issuer of a certificate whether it was revoked, and judges what it says, with what it said before. All of it is read in
 * workers: a list of revoked certificates may have 10 MB.
 *
 * @param der of the certificate
 * @throws {Problem} `pdf-too-complex`
 */
export async function askIssuer(
  { pdf, revocation }: Pick<System, 'pdf' | 'revocation'>,
  der: Uint8Array,
  policy: VerificationPolicy,
): Promise<IssuersWord> {
  const questions = await pdf.questionsAbout([der], policy)
  const own = questions.find(({ certificate }) => areEqual(certificate, der))
  if (!own || own.addresses.length + own.lists.length === 0) return { status: 'not-askable' }
  const evidence = await revocation.answersTo([own], policy)
  return await pdf.signersRevocation([own.certificate, own.issuer], { ...policy, evidence })
}
