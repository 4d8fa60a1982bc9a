import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, type PdfRef } from '#server/domain/pdf/object.ts'
import { type PdfPage, pagesOf } from '#server/domain/pdf/pages.ts'
import type { Rectangle } from '#server/domain/signing/paper.ts'
import { boxOf, isWhite } from '#server/domain/verification/changes/cover/mark-box.ts'
import { pageContents } from '#server/domain/verification/changes/cover/page-content.ts'
import {
  areaOf,
  type Box,
  boxIn,
  grownBy,
  intersection,
  meets,
} from '#server/domain/verification/looks/geometry.ts'
import type { Mark } from '#server/domain/verification/looks/marks.ts'

export type StampPlace = { page: PdfRef; rectangle: Rectangle }

/** In points: the largest that fits is taken. The lowest fits into the margin of most deeds. */
const SIZES = [
  { width: 250, height: 76 },
  { width: 230, height: 56 },
] as const
/** From the edges of the page as it is shown: printers leave a strip white. */
const EDGE = 18
/** Between the stamp and what the page shows. */
const CLEARANCE = 6
const STEP = 8
/** Pages that are searched from the last one backwards, before the first one. */
const LAST_PAGES = 4

/**
 * The lowest blank place for a stamp on the last pages of a document, else on the first one, from the right; undefined
 * if there is none that is sure to be blank. Scans and pages that are turned or not read whole are passed over.
 *
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 */
export function findStampPlace(document: PdfDocument): StampPlace | undefined {
  const pages = document.once(pagesOf)
  const searched = [...pages.slice(-LAST_PAGES).reverse(), ...pages.slice(0, 1)]
  for (const page of searched) {
    const room = page.ref && roomOn(document, page)
    const rectangle = room && lowestPlace(room)
    if (page.ref && rectangle) return { page: page.ref, rectangle }
  }
  return undefined
}

type Room = { readonly page: Box; readonly taken: readonly Box[] }

/** What of a page is taken; undefined if that is not sure. */
function roomOn(document: PdfDocument, page: PdfPage): Room | undefined {
  const { dictionary, inherited } = page
  const media = boxIn(document, inherited.get('MediaBox'))
  const crop = boxIn(document, inherited.get('CropBox')) ?? media
  const turn = document.resolve(inherited.get('Rotate'))
  const unit = document.resolve(dictionary.entries.get('UserUnit'))
  if (!media || !crop || (turn !== null && turn !== 0) || (unit !== null && unit !== 1))
    return undefined
  const content = document.once(pageContents)(page)
  if (!content.isWhole) return undefined
  const shown = intersection(media, crop)
  const drawn = content.marks
    .filter((mark) => !isGround(mark, shown))
    .map((mark) => takenBy(mark, shown))
  return { page: shown, taken: [...drawn, ...annotationsOn(document, page)] }
}

/** Of a text its whole line: how far letters reach is not sure where their font states no widths. */
function takenBy(mark: Mark, { left, right }: Box): Box {
  const box = intersection(boxOf(mark), mark.clip)
  return mark.kind === 'text' ? { ...box, left, right } : box
}

/** White below everything, as some programs begin a page. */
const isGround = (mark: Mark, page: Box) =>
  mark.kind === 'fill' &&
  isWhite(mark) &&
  areaOf(intersection(mark.box, page)) > 0.98 * areaOf(page)

/** Where the annotations of a page are, those of signatures included. */
function annotationsOn(document: PdfDocument, { dictionary }: PdfPage): Box[] {
  const list = document.resolve(dictionary.entries.get('Annots'))
  return (isArray(list) ? list.items : []).flatMap(
    (item) => boxIn(document, entriesOf(document.resolve(item)).get('Rect')) ?? [],
  )
}

function lowestPlace({ page, taken }: Room): Rectangle | undefined {
  const within = grownBy(page, -EDGE)
  const near = taken.map((box) => grownBy(box, CLEARANCE))
  for (const { width, height } of SIZES)
    for (let y = within.bottom; y + height <= within.top; y += STEP)
      for (let x = within.right - width; x >= within.left; x -= STEP) {
        const place = { left: x, bottom: y, right: x + width, top: y + height }
        if (!near.some((box) => meets(box, place))) return { x, y, width, height }
      }
  return undefined
}
