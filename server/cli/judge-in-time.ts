import { TIME_FOR_ONE_FILE, timeFor, withinTime } from '#server/adapters/limited-time.ts'
import { questionsIn } from '#server/adapters/pdf-work/questions.ts'
import type { ByteSource } from '#server/domain/bytes.ts'
import { isProblem } from '#server/domain/problem.ts'
import type { Duration } from '#server/domain/time.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import type { RevocationSource } from '#server/ports/revocation-source.ts'

export type Means = {
  policy: VerificationPolicy
  /** Asked about the certificates in the file; undefined when offline. */
  authorities: RevocationSource | undefined
  /** DER of a NOM-151 constancia about the file. */
  constancia?: Uint8Array | undefined
  /** How long a small file may be judged; a large one may take longer. */
  longest?: Duration
}

/**
 * Judges a file, in the thread of the command.
 *
 * @returns undefined for a file that takes too long
 */
export async function judgeInTime(
  source: ByteSource,
  file: string,
  { policy, authorities, constancia, longest = TIME_FOR_ONE_FILE }: Means,
): Promise<VerificationReport | undefined> {
  const limit = timeFor(source.length, longest)
  try {
    const questions = authorities
      ? withinTime(limit, () => questionsIn(source, policy, constancia))
      : []
    const evidence = await authorities?.answersTo(questions, policy)
    const asked = { ...policy, ...(evidence && { evidence }) }
    return withinTime(limit, () => verifyFile(source, file, asked, { constancia }))
  } catch (error) {
    if (isProblem(error, 'pdf-too-complex')) return undefined
    throw error
  }
}
