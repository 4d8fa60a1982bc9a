import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { createKeptByBytes } from '#server/domain/kept-by-bytes.ts'
import type { TaskOptions } from '#server/ports/file-budget.ts'
import type { SharedOf } from '#server/ports/memory.ts'
import type { PagePart, PdfWork } from '#server/ports/pdf-work.ts'
import type { System } from '#server/system.ts'

/** Grows when pages are drawn otherwise: browsers keep pictures by their names. */
const EDITION = 2

/** Of a process. Pictures are kept in memory alone: on the disk files are encrypted. */
export const PICTURE_BYTES = 48 << 20

const PICTURES: SharedOf<{
  kept: ReturnType<typeof createKeptByBytes>
  underWay: Map<string, Promise<Uint8Array>>
}> = {
  name: 'kept-pictures',
  make: () => ({ kept: createKeptByBytes(PICTURE_BYTES), underWay: new Map() }),
}

type Drawn = Pick<DocumentVersion, 'officeId' | 'sha256'>

/** Identifies a picture: equal names mean equal bytes. */
export function nameOfPicture({ sha256 }: Drawn, { page, width, region, rotate }: PagePart) {
  const part = region ? `${region.parts}.${region.row}.${region.column}` : 'whole'
  return `${sha256}-${page}-${width}-${part}-${rotate ?? 0}-${EDITION}`
}

/**
 * A picture of a version. The caller has authorized it: pictures are kept by office and content. Readers who ask for
 * the same picture at the same time wait for one drawing.
 *
 * @param pdf draws it: the office's workers, or those of the public
 * @throws {Problem} see `PdfWork.picture`
 */
export async function drawCached(
  { blobs, memory }: Pick<System, 'blobs' | 'memory'>,
  pdf: PdfWork,
  version: Drawn,
  part: PagePart,
  options: TaskOptions = {},
): Promise<Uint8Array> {
  const { kept, underWay } = memory.shared(PICTURES)
  const key = `${version.officeId}-${nameOfPicture(version, part)}`
  const found = kept.find(key)
  if (found) return found
  const draw = () => blobs.withFile(version, (file) => pdf.picture(file, part, options))
  const drawing = underWay.get(key) ?? draw().finally(() => underWay.delete(key))
  underWay.set(key, drawing)
  const picture = await drawing
  kept.keep(key, picture)
  return picture
}

/** Whether it can be had without drawing. */
export function isDrawn(
  { memory }: Pick<System, 'memory'>,
  version: Drawn,
  part: PagePart,
): boolean {
  const { kept, underWay } = memory.shared(PICTURES)
  const key = `${version.officeId}-${nameOfPicture(version, part)}`
  return kept.find(key) !== undefined || underWay.has(key)
}
