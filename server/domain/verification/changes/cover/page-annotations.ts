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
import { frameOf } from '#server/domain/verification/looks/frame.ts'
import {
  areaOf,
  type Box,
  boxIn,
  type Point,
  type Segment,
} from '#server/domain/verification/looks/geometry.ts'
import type { Mark } from '#server/domain/verification/looks/marks.ts'
import { linkBorder } from './link-border.ts'
import { type PageContent, piecesOf } from './page-content.ts'

/** An annotation of a page that shows something. */
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
  { dictionary }: PdfPage,
  signatures: ReadonlySet<number>,
): ShownAnnotation[] {
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
    return [
      {
        number: isRef(item) ? item.number : undefined,
        isSignature,
        box,
        content() {
          content ??= isStream(look)
            ? contentOfLook(document, entries, look, box)
            : contentByReaders(document, entries, box)
          return content
        },
      },
    ]
  })
}

/** Of the border of a link; of others their rectangle counts. */
function contentByReaders(
  document: PdfDocument,
  annotation: ReadonlyMap<string, PdfObject>,
  box: Box,
): PageContent {
  const border = isLink(document, annotation) ? linkBorder(document, annotation, box) : undefined
  const marks = border ? [border] : []
  return { marks, isWhole: true, pieces: piecesOf(marks) }
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
  { left, bottom }: Box,
): PageContent {
  const { drawn, turn } = frameOf(document, annotation, look)
  // Where the marks of a turned look are on the page is not computed.
  if (turn !== 0 && drawn.marks.length > 0) return { marks: [], isWhole: false, pieces: 0 }
  const marks = drawn.marks.map((mark) => moved(mark, left, bottom))
  return { marks, isWhole: !drawn.isCut, pieces: piecesOf(marks) }
}

function moved(mark: Mark, x: number, y: number): Mark {
  const box = (one: Box): Box => ({
    left: one.left + x,
    right: one.right + x,
    bottom: one.bottom + y,
    top: one.top + y,
  })
  const point = (one: Point): Point => [one[0] + x, one[1] + y]
  const segment = ([start, end]: Segment): Segment => [point(start), point(end)]
  const clip = box(mark.clip)
  if (mark.kind === 'text')
    return {
      ...mark,
      start: point(mark.start),
      end: point(mark.end),
      leastEnd: mark.leastEnd + x,
      likelyEnd: mark.likelyEnd + x,
      mostEnd: mark.mostEnd + x,
      clip,
    }
  return {
    ...mark,
    segments: mark.segments.map(segment),
    closings: mark.closings.map(segment),
    curves: mark.curves.map(box),
    box: box(mark.box),
    clip,
  }
}
