import { Problem } from '#server/domain/problem.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { changedPages } from '#server/domain/verification/visible-changes.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { TaskOptions } from '#server/ports/file-budget.ts'
import type { ComparedPage } from '#server/ports/pdf-work.ts'
import type { System } from '#server/system.ts'

/** Pixels; enough to see a change, also on a phone. */
const WIDTH = 480

/**
 * Pictures of the pages that changed after a signature; empty if nothing visible changed or the file is too
 * complex to draw: the verdict names the changes in any case.
 *
 * @param file the verified one
 * @param options.budget what verifying left of it
 */
export async function compareChangedPages(
  { pdf }: Pick<System, 'pdf'>,
  file: ReadableFile,
  report: VerificationReport,
  options: Pick<TaskOptions, 'budget' | 'signal'>,
): Promise<ComparedPage[]> {
  const pages = changedPages(report)
  if (pages.length === 0) return []
  try {
    return await pdf.comparePages(file, pages, WIDTH, options)
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}
