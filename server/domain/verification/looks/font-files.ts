import type { PdfObject } from '#server/domain/pdf/object.ts'

type Descriptor = ReadonlyMap<string, PdfObject>

/** The entries of a font descriptor that embed the letters. @see ISO 32000-2:2020, table 124 */
const FILES = ['FontFile', 'FontFile2', 'FontFile3']

export const hasFontFile = (descriptor: Descriptor) => FILES.some((key) => descriptor.has(key))

/** The font file of a descriptor; undefined if it has several, of which readers differ in which they take. */
export function onlyFontFile(descriptor: Descriptor): PdfObject | undefined {
  const files = FILES.filter((key) => descriptor.has(key))
  return files.length === 1 ? descriptor.get(files[0]!) : undefined
}
