import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** Revocation answers, requested at the addresses that the policy's anchors trust. */
export type RevocationSource = {
  /**
   * The answers about these certificates: cached while fresh, else requested. Returns after a few seconds with
   * what has arrived; an authority that is down leaves its certificates without an answer. Answers are not
   * verified. Never call it inside a transaction.
   *
   * @param certificates the certificates of a file, signers and authorities, DER
   * @param options.isPatient as for `PdfWork`, which computes the inquiries for many certificates
   * @throws {Problem} `pdf-too-complex` when computing the inquiries took too long, `too-many-attempts` for a
   *   patient call
   */
  answersAbout(
    certificates: readonly Uint8Array[],
    policy: VerificationPolicy,
    options?: { isPatient?: boolean },
  ): Promise<RevocationValues>
}
