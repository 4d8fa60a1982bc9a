import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isArray,
  isName,
  isNamed,
  isRef,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import { hasColours } from '#server/domain/verification/changes/painted-look.ts'
import { drawnOnPage, frameOf } from '#server/domain/verification/looks/frame.ts'
import { areaOf, type Box, boxIn } from '#server/domain/verification/looks/geometry.ts'
import { linkBorder } from './link-border.ts'
import { type PageContent, piecesOf } from './page-content.ts'
import { turnedBack, turnOf } from './turned-back.ts'

/** An annotation of a page that shows something, in one of the places where readers draw it. */
export type ShownAnnotation = {
  /** Of its object; undefined for one that is written into the list of its page. */
  readonly number: number | undefined
  readonly isSignature: boolean
  readonly box: Box
  /** What its look draws, in the coordinates of the page. */
  content(): PageContent
}

/** The annotations of each page that show something. For `once`. */
export function pageAnnotations(document: PdfDocument): (page: PdfPage) => ShownAnnotation[] {
  const signatures = new Set(
    formFields(document)
      .filter(({ type }) => type === 'Sig')
      .flatMap(({ widgets }) => widgets.map(({ number }) => number)),
  )
  const known = new Map<PdfPage, ShownAnnotation[]>()
  return (page) => {
    const shown = known.get(page) ?? annotationsOn(document, page, signatures)
    known.set(page, shown)
    return shown
  }
}

function annotationsOn(
  document: PdfDocument,
  page: PdfPage,
  signatures: ReadonlySet<number>,
): ShownAnnotation[] {
  const { dictionary } = page
  const turn = turnOf(document, page)
  const list = document.resolve(dictionary.entries.get('Annots'))
  return (isArray(list) ? list.items : []).flatMap((item) => {
    const isSignature = isRef(item) && signatures.has(item.number)
    const entries = entriesOf(document.resolve(item))
    const box = boxIn(document, entries.get('Rect'))
    const look = document.resolve(entriesOf(document.resolve(entries.get('AP'))).get('N'))
    const isEmpty = isStream(look)
      ? look.data.end === look.data.start
      : look === null && !isDrawnByReaders(document, entries, box)
    if (!box || isEmpty || areaOf(box) === 0) return []
    let content: PageContent | undefined
    const shown: ShownAnnotation = {
      number: isRef(item) ? item.number : undefined,
      isSignature,
      box,
      content() {
        content ??= isStream(look)
          ? contentOfLook(document, entries, look, box)
          : contentByReaders(document, entries, box)
        return content
      },
    }
    const elsewhere = turnedBack(document, entries, { place: box, turn })
    return elsewhere ? [shown, { ...shown, box: elsewhere, content: () => UNREAD }] : [shown]
  })
}

/** What readers turn back may show anything in its other place. */
const UNREAD: PageContent = { marks: [], isWhole: false, isUnread: false, pieces: 0 }

/** Of the border of a link; of others their rectangle counts. */
function contentByReaders(
  document: PdfDocument,
  annotation: ReadonlyMap<string, PdfObject>,
  box: Box,
): PageContent {
  const border = isLink(document, annotation) ? linkBorder(document, annotation, box) : undefined
  const marks = border ? [border] : []
  return { marks, isWhole: true, isUnread: false, pieces: piecesOf(marks) }
}

const isLink = (document: PdfDocument, annotation: ReadonlyMap<string, PdfObject>) =>
  isNamed(document.resolve(annotation.get('Subtype')), 'Link')

/** Whether readers make a look for an annotation that has none. */
function isDrawnByReaders(
  document: PdfDocument,
  annotation: ReadonlyMap<string, PdfObject>,
  box: Box | undefined,
): boolean {
  if (isLink(document, annotation))
    return box !== undefined && linkBorder(document, annotation, box) !== undefined
  const subtype = document.resolve(annotation.get('Subtype'))
  if (!isNamed(subtype, 'Widget')) return isName(subtype) && !UNSEEN.has(subtype.value)
  const parent = entriesOf(document.resolve(annotation.get('Parent')))
  const value = document.resolve(annotation.get('V') ?? parent.get('V'))
  return value !== null || hasColours(document, annotation)
}

const UNSEEN = new Set(['Popup', 'TrapNet'])

function contentOfLook(
  document: PdfDocument,
  annotation: ReadonlyMap<string, PdfObject>,
  look: PdfStream,
  place: Box,
): PageContent {
  const frame = frameOf(document, annotation, look)
  const marks = drawnOnPage(frame, place)
  const { isCut, isUnread } = frame.drawn
  return { marks, isWhole: !isCut, isUnread, pieces: piecesOf(marks) }
}
