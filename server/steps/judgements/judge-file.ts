import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { JudgingOptions } from '#server/ports/pdf-work.ts'
import type { System } from '#server/system.ts'

type Judged = {
  report: VerificationReport
  /** The answers of authorities on which the report relies. */
  evidence: RevocationValues
}

/**
 * Asks the authorities about the certificates in a file, and verifies it with their answers.
 *
 * @param name of the file, for the report
 * @param options `budget` is shared by all tasks on the file: give one for those that follow, too
 * @throws {Problem} `pdf-too-complex`, and `too-many-attempts` for patient calls while many wait
 */
export async function judgeFile(
  { pdf, revocation }: Pick<System, 'pdf' | 'revocation'>,
  file: ReadableFile,
  name: string,
  policy: VerificationPolicy,
  { budget = {}, ...others }: JudgingOptions = {},
): Promise<Judged> {
  const options = { ...others, budget }
  const questions = await pdf.questions(file, policy, options)
  const evidence = await revocation.answersTo(questions, policy, options)
  const report = await pdf.verify(file, name, { ...policy, evidence }, options)
  return { report, evidence }
}
