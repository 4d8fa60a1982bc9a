import { concatBytes } from '#server/domain/bytes.ts'
import { fromLatin1 } from './characters.ts'
import { type SectionEntry, tableSection } from './cross-reference/cross-reference-writer.ts'
import {
  array,
  dictionary,
  isDictionary,
  name,
  type PdfObject,
  type PdfRef,
  reference,
  withEntries,
} from './object.ts'
import { type NewStream, serializeObject } from './serialize.ts'

/** Where objects are written: a new file, or what is appended to one. */
export type ObjectStore = {
  /** A number that no object has. */
  allocate(): PdfRef
  set(ref: PdfRef, value: PdfObject | NewStream): void
  /** A new object. */
  add(value: PdfObject | NewStream): PdfRef
}

export type NewDocument = ObjectStore & {
  /** The file with these pages, which the store has. The same objects give the same bytes. */
  finish(pages: readonly PdfRef[]): Uint8Array
}

/** The bytes above 127 in the second line mark the file as binary. @see ISO 32000-2:2020, 7.5.2 */
const HEADER = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'

/** A file with a plain cross-reference table, without dates and identifiers. */
export function newDocument(): NewDocument {
  const values: (PdfObject | NewStream)[] = []
  const store: ObjectStore = {
    allocate: () => reference(values.push(null)),
    set(ref, value) {
      values[ref.number - 1] = value
    },
    add(value) {
      const ref = store.allocate()
      store.set(ref, value)
      return ref
    },
  }
  return {
    ...store,
    finish(pages) {
      const tree = store.allocate()
      for (const page of pages) {
        const entries = values[page.number - 1]
        if (typeof entries !== 'object' || entries?.kind === 'new-stream' || !isDictionary(entries))
          throw new TypeError(`object ${page.number} is no page`)
        store.set(page, withEntries(entries, { Parent: tree }))
      }
      store.set(tree, dictionary({ Type: name('Pages'), Kids: array(pages), Count: pages.length }))
      const catalog = store.add(dictionary({ Type: name('Catalog'), Pages: tree }))
      return written(values, catalog)
    },
  }
}

function written(values: readonly (PdfObject | NewStream)[], catalog: PdfRef): Uint8Array {
  const parts: Uint8Array[] = [fromLatin1(HEADER)]
  const entries: SectionEntry[] = [{ number: 0, generation: 65535, isFree: true }]
  let position = HEADER.length
  values.forEach((value, index) => {
    const number = index + 1
    const bytes = serializeObject(number, 0, value)
    entries.push({ number, generation: 0, offset: position })
    parts.push(bytes)
    position += bytes.length
  })
  const trailer = new Map([['Root', catalog]])
  const section = tableSection(entries, { place: position, size: values.length + 1, trailer })
  return concatBytes(...parts, section)
}
