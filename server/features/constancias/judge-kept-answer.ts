import type { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { ConstanciaReport } from '#server/domain/verification/report.ts'
import type { System } from '#server/system.ts'

/**
 * Judges a constancia against today's trusted authorities, which are asked about revocation.
 *
 * @param answer covers the file: see `readAnswer`
 */
export async function judgeKeptAnswer(
  { pdf, trust, revocation }: Pick<System, 'pdf' | 'trust' | 'revocation'>,
  answer: Uint8Array,
  sha256: Sha256,
  now: Instant,
): Promise<ConstanciaReport> {
  const policy = await trust.policy(now)
  const questions = await pdf.questionsAboutConstancia(answer, policy)
  const evidence = await revocation.answersTo(questions, policy)
  return await pdf.judgeConstancia(answer, sha256, { ...policy, evidence })
}
