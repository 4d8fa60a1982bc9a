import type { ByteSource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { Problem } from '#server/domain/problem.ts'
import type { PdfInspection } from '#server/system.ts'

/**
 * What a file is before it is taken in.
 *
 * @throws {Problem} `empty-file`, `encrypted-pdf`, `damaged-pdf`
 * @throws {PdfError}
 */
export function inspectDocument(source: ByteSource): PdfInspection {
  if (source.length === 0) throw new Problem('empty-file', 'a file of 0 bytes')
  const document = readDocument(source)
  if (document.isEncrypted) throw new Problem('encrypted-pdf', 'the trailer names /Encrypt')
  const pages = pagesOf(document).length
  if (pages === 0) throw new Problem('damaged-pdf', 'no page can be read')
  return { pages, signatures: signatureDictionaries(document).length }
}
