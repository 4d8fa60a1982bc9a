import { Problem } from '#server/domain/problem.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { changedPages } from '#server/domain/verification/visible-changes.ts'
import type { ComparedPage } from '#server/ports/pdf-work.ts'
import type { System } from '#server/system.ts'

/** Wide enough to see what changed, on a telephone, too. */
const WIDTH = 480

/**
 * Pictures of the pages that were changed after a signature; none where nothing that can be seen was changed, or
 * where the file is too much for drawing: the verdict says in words what changed, whatever can be drawn.
 *
 * @param path of the file that was judged
 */
export async function compareChangedPages(
  { pdf }: System,
  path: string,
  report: VerificationReport,
): Promise<ComparedPage[]> {
  const pages = changedPages(report)
  if (pages.length === 0) return []
  try {
    return await pdf.comparePages(path, pages, WIDTH)
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}
