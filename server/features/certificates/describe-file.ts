import type { DescribedFile } from '#server/domain/efirma/describe-file.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { isProblem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** A file that someone asks about; overwritten with zeros afterwards, because it may be a private key. */
export type DescribeFile = { file: Uint8Array }

/**
 * Says what a file is. For browsers without scripts, which cannot do it themselves. It is read in a worker, and nothing of it is
 * kept.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function describeFile(
  { db, clock, pdf }: Pick<System, 'db' | 'clock' | 'pdf'>,
  actor: Actor,
  { file }: DescribeFile,
): Promise<DescribedFile> {
  const now = clock.now()
  try {
    await authorizeOrRecord(db, actor, 'certificates.read', mustBeSignedIn(actor), now)
    return await pdf.describeFile(file, now)
  } catch (error) {
    // A file that takes too much to read is none that we know.
    if (isProblem(error, 'pdf-too-complex')) return { kind: 'unknown' }
    throw error
  } finally {
    file.fill(0)
  }
}
