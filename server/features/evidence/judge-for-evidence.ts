import { listAnswersAboutPairs } from '#server/db/trust/revocation-answers.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Instant } from '#server/domain/time.ts'
import type { ProofSection } from '#server/domain/verification/evidence-package/section.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { PlainChain } from '#server/ports/pdf-work.ts'
import { judgeFile } from '#server/steps/judgements/judge-file.ts'
import type { System } from '#server/system.ts'

export type JudgedFile = {
  report: VerificationReport
  /** What proves its signatures, its constancia, and the words of authorities about their certificates. */
  sections: ProofSection[]
}

/** The verdict about a file, and what proves it to other programs. */
export async function judgeForEvidence(
  system: Pick<System, 'db' | 'blobs' | 'pdf' | 'trust' | 'revocation'>,
  version: DocumentVersion,
  { constancia, at, zone }: { constancia: Uint8Array | undefined; at: Instant; zone: string },
): Promise<JudgedFile> {
  const { db, blobs, pdf, trust } = system
  const policy = await trust.policy(at, version.officeId)
  return await blobs.withFile(version, async (file) => {
    const options = { constancia, budget: {} }
    const { report, evidence } = await judgeFile(system, file, version.fileName, policy, options)
    const subject = { report, constancia, zone }
    const { sections, chains } = await pdf.proveSignatures(file, subject, policy, options)
    const answers = await keptAnswersAbout(db, chains)
    const lists = evidence.crls.map(({ der }) => der)
    const words = { chains, answers, lists, at, zone }
    const about = await pdf.proveRevocation(file, words, policy, options)
    return { report, sections: [...sections, ...about] }
  })
}

/** The stored revocation answers about the certificates of these chains. */
async function keptAnswersAbout(
  db: System['db'],
  chains: readonly PlainChain[],
): Promise<Uint8Array[]> {
  const pairs = chains.flatMap(({ ends }) => ends ?? [])
  return (await listAnswersAboutPairs(db, pairs)).map(({ der }) => der)
}
