import { listAnswersAboutPairs } from '#server/db/trust/revocation-answers.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Chain } from '#server/domain/verification/evidence-package/chain.ts'
import type { FileMaterial } from '#server/domain/verification/evidence-package/material.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { System } from '#server/system.ts'

export type JudgedFile = {
  report: VerificationReport
  policy: VerificationPolicy
  material: FileMaterial
  /** The revocation lists that were fetched for the verdict, DER. */
  lists: Uint8Array[]
}

/** The verdict about a file, and the validation material in it. */
export async function judgeForEvidence(
  { blobs, pdf, trust, revocation }: Pick<System, 'blobs' | 'pdf' | 'trust' | 'revocation'>,
  { sha256: digest, fileName }: DocumentVersion,
  constancia: Uint8Array | undefined,
  at: Instant,
): Promise<JudgedFile> {
  const policy = await trust.policy(at)
  return await blobs.withFile(digest, async (path) => {
    const options = { constancia, budget: {} }
    const questions = await pdf.questions(path, policy, options)
    const evidence = await revocation.answersTo(questions, policy, options)
    const report = await pdf.verify(path, fileName, { ...policy, evidence }, options)
    const lists = evidence.crls.map(({ der }) => der)
    return { report, policy, material: await pdf.material(path, options), lists }
  })
}

/** The stored revocation answers about the certificates of these chains. */
export async function keptAnswersAbout(
  { db }: Pick<System, 'db'>,
  chains: readonly Chain[],
): Promise<Uint8Array[]> {
  const pairs = chains.flatMap(({ path: [certificate, issuer] }) =>
    certificate && issuer
      ? [{ certificate: sha256(certificate.der), issuer: sha256(issuer.der) }]
      : [],
  )
  return (await listAnswersAboutPairs(db, pairs)).map(({ der }) => der)
}
