import type { ByteSource } from '#server/domain/bytes.ts'
import type { PdfInspection } from '#server/system.ts'

export function inspectDocument(source: ByteSource): PdfInspection {
  throw new Error(`not yet: ${source.length}`)
}
