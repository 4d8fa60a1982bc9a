import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import type { ByteSource } from '#server/domain/bytes.ts'
import { prefixSource } from '#server/domain/pdf/prefix.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ChangedPage } from '#server/domain/verification/visible-changes.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { ComparedPage } from '#server/ports/pdf-work.ts'
import { drawPartOf } from './picture.ts'
import { signedRevisionsIn } from './signed-revisions.ts'

export type CompareTask = { file: ReadableFile; pages: readonly ChangedPage[]; width: number }

/**
 * Pages as they were signed and as they are now. One that cannot be drawn, or was not there, is null; pages that
 * look alike are left out.
 *
 * @throws {Problem} `pdf-too-complex`
 * @throws {PdfError}
 */
export async function comparePages({ file, pages, width }: CompareTask): Promise<ComparedPage[]> {
  return await withReadable(file, async (source) => {
    const ends = signedRevisionsIn(source)
    const compared: ComparedPage[] = []
    for (const { page, signature } of pages) {
      const end = ends[signature]
      if (!end) continue
      const before = await drawOrNot(prefixSource(source, end), page, width)
      const after = await drawOrNot(source, page, width)
      if (areAlike(before, after)) continue
      compared.push({ page, before, after })
    }
    return compared
  })
}

async function drawOrNot(source: ByteSource, page: number, width: number) {
  try {
    return await drawPartOf(source, { page, width })
  } catch (error) {
    if (error instanceof Problem && error.code !== 'pdf-too-complex') return null
    throw error
  }
}

const areAlike = (before: Uint8Array | null, after: Uint8Array | null) =>
  before === after || (before !== null && after !== null && Buffer.compare(before, after) === 0)
