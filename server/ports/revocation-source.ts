import type { RevocationEvidence } from '#server/domain/revocation/evidence.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** What authorities say about certificates, asked where the anchors of the policy say. */
export type RevocationSource = {
  /**
   * The answers at hand about these certificates, from memory while they are young and asked for otherwise.
   * Ends within a few seconds with whatever has come by then: an authority that is down leaves its certificates
   * without an answer. Nothing that comes back is believed yet. Never inside of a
   * transaction.
   *
   * @param certificates DER of those in a file, signers and authorities alike
   * @param options.isPatient as for `PdfWork`, which finds out whom to ask about many certificates
   * @throws {Problem} `pdf-too-complex` when to find out took too long, `too-many-attempts` for a patient one
   */
  answersAbout(
    certificates: readonly Uint8Array[],
    policy: VerificationPolicy,
    options?: { isPatient?: boolean },
  ): Promise<RevocationEvidence>
}
