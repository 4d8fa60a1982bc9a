import { concatBytes } from '#server/domain/bytes.ts'
import { fromLatin1 } from './characters.ts'
import type { PdfDocument } from './document.ts'
import { PdfError } from './error.ts'
import type { IncrementalUpdate } from './incremental-update.ts'
import {
  array,
  dictionary,
  isArray,
  isNamed,
  isRef,
  isStream,
  name,
  type PdfArray,
  type PdfDictionary,
  type PdfObject,
  type PdfRef,
  type PdfStream,
} from './object.ts'
import { type PdfPage, pagesOf } from './pages.ts'
import type { NewStream } from './serialize.ts'

/** A4 in points, for a page that states no size. */
const DEFAULT_MEDIA_BOX = array([0, 0, 595, 842])
/** They point back into the document that the page came from. */
const TIES = new Set(['Parent', 'StructParents', 'StructParent', 'B', 'Annots', 'Tabs'])

type Copier = ReturnType<typeof copier>

/** What pages of another PDF show, as objects of an update; what two of them share is copied once. */
export type PageImporter = {
  /**
   * A page with everything that it shows. Its annotations and its place in a structure tree stay behind.
   *
   * @param pageIndex counts from 0
   * @returns the new page; it belongs to no page tree yet, see `appendPage`
   * @throws {PdfError} `damaged` when there is no such page
   */
  page(pageIndex: number): PdfRef
  /**
   * What a page shows as a form XObject, drawn in the page's own coordinates.
   *
   * @param pageIndex counts from 0
   * @throws {PdfError} `damaged` when there is no such page
   * @see ISO 32000-2:2020, 8.10
   */
  formXObject(pageIndex: number): PdfRef
}

/** @param other a small file that we trust, made by a library */
export function pageImporter(update: IncrementalUpdate, other: PdfDocument): PageImporter {
  const copy = copier(update, other)
  return {
    page: (index) => importPage(update, pageAt(other, index), copy),
    formXObject: (index) => importAsFormXObject(update, other, pageAt(other, index), copy),
  }
}

function importPage(update: IncrementalUpdate, page: PdfPage, copy: Copier): PdfRef {
  const own = [...page.dictionary.entries].filter(([key]) => !TIES.has(key))
  const entries = new Map<string, PdfObject>([
    ['Type', name('Page')],
    ['Resources', dictionary({})],
    ['MediaBox', DEFAULT_MEDIA_BOX],
    ...page.inherited,
    ...own,
  ])
  return update.add(copy({ kind: 'dictionary', entries }))
}

function importAsFormXObject(
  update: IncrementalUpdate,
  other: PdfDocument,
  page: PdfPage,
  copy: Copier,
): PdfRef {
  const box = other.resolve(page.inherited.get('CropBox') ?? page.inherited.get('MediaBox'))
  const entries = dictionary({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: copy(isArray(box) ? box : DEFAULT_MEDIA_BOX),
    Matrix: array([1, 0, 0, 1, 0, 0]),
    Resources: copy(other.resolve(page.inherited.get('Resources')) ?? dictionary({})),
  })
  return update.add({
    kind: 'new-stream',
    dictionary: entries,
    data: joinedContents(other, page),
  })
}

function pageAt(other: PdfDocument, index: number): PdfPage {
  const page = pagesOf(other)[index]
  if (!page) throw new PdfError('damaged', `there is no page ${index}`)
  return page
}

function joinedContents(other: PdfDocument, page: PdfPage): Uint8Array {
  const contents = other.resolve(page.dictionary.entries.get('Contents'))
  const streams = (isArray(contents) ? contents.items.map(other.resolve) : [contents]).filter(
    isStream,
  )
  return concatBytes(...streams.flatMap((stream) => [other.decoded(stream), fromLatin1('\n')]))
}

/** Copies values from one document into another, giving every object that they reach a new number. */
function copier(update: IncrementalUpdate, other: PdfDocument) {
  const numbers = new Map<number, PdfRef>()

  function copy(value: PdfDictionary): PdfDictionary
  function copy(value: PdfObject): PdfObject
  function copy(value: PdfObject): PdfObject {
    if (typeof value !== 'object' || value === null) return value
    switch (value.kind) {
      case 'ref':
        return copyReference(value)
      case 'array':
        return copyArray(value)
      case 'dictionary':
        return copyDictionary(value)
      default:
        return value
    }
  }
  const copyArray = (value: PdfArray) => array(value.items.map((item) => copy(item)))
  const copyDictionary = (value: PdfDictionary) =>
    dictionary(new Map([...value.entries].map(([key, item]) => [key, copy(item)])))

  function copyReference(ref: PdfRef): PdfObject {
    const known = numbers.get(ref.number)
    if (known) return known
    const value = other.resolve(ref)
    // A way back into the page tree would bring the whole document along.
    if (value === null || isTreeNode(value)) return null
    const copied = update.allocate()
    numbers.set(ref.number, copied)
    update.set(copied, isStream(value) ? copyStream(value) : copy(value))
    return copied
  }

  function copyStream(stream: PdfStream): NewStream {
    return {
      kind: 'new-stream',
      dictionary: copyDictionary(stream.dictionary),
      data: other.raw(stream),
    }
  }

  const isTreeNode = (value: PdfObject) => {
    if (isRef(value) || typeof value !== 'object' || value?.kind !== 'dictionary') return false
    const type = value.entries.get('Type')
    return isNamed(type, 'Page') || isNamed(type, 'Pages') || isNamed(type, 'Catalog')
  }
  return copy
}
