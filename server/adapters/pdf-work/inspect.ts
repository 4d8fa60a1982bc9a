import type { ByteSource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { hasDynamicForm, unseenContentOf } from '#server/domain/pdf/unseen-content.ts'
import { Problem } from '#server/domain/problem.ts'
import { isFinal, mayBeSigned } from '#server/domain/signing/may-be-signed.ts'
import type { PdfInspection } from '#server/ports/pdf-work.ts'

/**
 * What a file is before it is taken in.
 *
 * @throws {Problem} `empty-file`, `encrypted-pdf`, `change-protected-pdf`, `damaged-pdf`
 * @throws {PdfError}
 */
export function inspectDocument(source: ByteSource): PdfInspection {
  if (source.length === 0) throw new Problem('empty-file', 'a file of 0 bytes')
  const document = readDocument(source)
  if (document.isLocked) throw new Problem('encrypted-pdf', 'the trailer names /Encrypt')
  if (document.isEncrypted)
    throw new Problem(
      'change-protected-pdf',
      'the empty password opens it, but nothing can be added',
    )
  // It may be half of a file, and nothing can be appended to it: it could never be signed.
  if (document.isRebuilt) throw new Problem('damaged-pdf', 'no cross-reference to append to')
  const pages = pagesOf(document).length
  if (pages === 0) throw new Problem('damaged-pdf', 'no page can be read')
  const signatures = signatureDictionaries(document).length
  return {
    ...{ pages, signatures },
    mayBeSigned: mayBeSigned(document),
    isFinal: isFinal(document),
    unseen: unseenContentOf(document),
    isDynamicForm: hasDynamicForm(document),
  }
}
