import { withDocument } from '#server/adapters/pdf-work/pdfium.ts'
import { judge } from '#tests/support/judges.ts'

/* What independent readers show of a file, as one line of text. */

export type ReaderName = 'pdfium' | 'pdftotext' | 'mutool'

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

const pdftotext = judge('pdftotext')
const mutool = judge('mutool')

/**
 * @param onDisk writes the bytes and returns the name of the file
 */
export const readersOf = (
  onDisk: (bytes: Uint8Array) => string,
): Record<ReaderName, (bytes: Uint8Array) => Promise<string>> => ({
  pdfium: async (bytes) => {
    try {
      return await withDocument(bytes, async (document) =>
        plain([...document.pages()].map((page) => page.getText()).join(' ')),
      )
    } catch {
      return ''
    }
  },
  pdftotext: async (bytes) => plain(pdftotext(onDisk(bytes), '-').output),
  mutool: async (bytes) => plain(mutool('draw', '-q', '-F', 'txt', onDisk(bytes)).output),
})
