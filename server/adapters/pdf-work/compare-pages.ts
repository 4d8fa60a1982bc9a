import { memorySource } from '#server/domain/bytes.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ChangedPage } from '#server/domain/verification/visible-changes.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { ComparedPage } from '#server/ports/pdf-work.ts'
import { drawPageOf, wholeFile } from './picture.ts'
import { signedRevisionsIn } from './signed-revisions.ts'

export type CompareTask = { file: ReadableFile; pages: readonly ChangedPage[]; width: number }

/**
 * Pages as they were signed and as they are now. One that cannot be drawn, or was not there, is null; pages that
 * look alike are left out.
 *
 * @throws {Problem} `too-large`, `pdf-too-complex`
 * @throws {PdfError}
 */
export async function comparePages({ file, pages, width }: CompareTask): Promise<ComparedPage[]> {
  const bytes = await wholeFile(file)
  const ends = signedRevisionsIn(memorySource(bytes))
  const compared: ComparedPage[] = []
  for (const { page, signature } of pages) {
    const end = ends[signature]
    if (!end) continue
    // A copy: PDFium would see what stands behind the end of a view.
    const before = await drawOrNot(bytes.slice(0, end), page, width)
    const after = await drawOrNot(bytes, page, width)
    if (areAlike(before, after)) continue
    compared.push({ page, before, after })
  }
  return compared
}

async function drawOrNot(bytes: Uint8Array, page: number, width: number) {
  try {
    return await drawPageOf(bytes, page, width)
  } catch (error) {
    if (error instanceof Problem && error.code !== 'pdf-too-complex') return null
    throw error
  }
}

const areAlike = (before: Uint8Array | null, after: Uint8Array | null) =>
  before === after || (before !== null && after !== null && Buffer.compare(before, after) === 0)
