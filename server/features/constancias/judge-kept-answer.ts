import type { Instant } from '#server/domain/time.ts'
import type { Constancia } from '#server/domain/timestamp/constancia.ts'
import type { ConstanciaReport } from '#server/domain/verification/report.ts'
import type { System } from '#server/system.ts'

/**
 * Judges a constancia against the authorities that its office trusts today, which are asked about revocation.
 *
 * @param answer covers the file: see `readAnswer`
 */
export async function judgeKeptAnswer(
  { pdf, trust, revocation }: Pick<System, 'pdf' | 'trust' | 'revocation'>,
  { officeId, sha256 }: Pick<Constancia, 'officeId' | 'sha256'>,
  answer: Uint8Array,
  now: Instant,
): Promise<ConstanciaReport> {
  const policy = await trust.policy(now, officeId)
  const questions = await pdf.questionsAboutConstancia(answer, policy)
  const evidence = await revocation.answersTo(questions, policy)
  return await pdf.judgeConstancia(answer, sha256, { ...policy, evidence })
}
