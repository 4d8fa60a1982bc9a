import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import type { UploadFinding } from '#server/domain/verification/upload-judgement.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { PdfInspection, PdfWork } from '#server/ports/pdf-work.ts'
import { onceMore } from './once-more.ts'

export type InspectedUpload = PdfInspection & { findings: UploadFinding[] }

/** Wide enough to draw everything on the page. */
const WIDTH = 64

/** Refusals that say something about the file, not about the moment. */
export const CANNOT_BE_DRAWN: readonly ProblemCode[] = [
  'too-large',
  'not-found',
  'damaged-pdf',
  'encrypted-pdf',
  'not-a-pdf',
  'pdf-too-complex',
]

/**
 * Inspects a file and tries to draw its first page.
 *
 * @throws {Problem} see `PdfWork.inspect`
 */
export async function inspectUpload(
  pdf: PdfWork,
  file: ReadableFile,
  options: { isPatient?: boolean } = {},
): Promise<InspectedUpload> {
  const inspection = await pdf.inspect(file, options)
  const isDrawable = await canDraw(pdf, file, options)
  return { ...inspection, findings: [...inspection.unseen, ...(isDrawable ? [] : NOT_DRAWABLE)] }
}

const NOT_DRAWABLE = ['not-drawable'] as const

async function canDraw(pdf: PdfWork, file: ReadableFile, options: { isPatient?: boolean }) {
  try {
    await onceMore(() => pdf.picture(file, { page: 1, width: WIDTH }, options))
    return true
  } catch (error) {
    if (error instanceof Problem && CANNOT_BE_DRAWN.includes(error.code)) return false
    throw error
  }
}
