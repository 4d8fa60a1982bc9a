import type { StampChoice } from '#server/domain/documents/stamp-choice.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { PdfRef } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import type { Rectangle } from '#server/domain/signing/paper.ts'
import { blankPlaces, type Room, roomOn, STAMP_SIZES, withinEdges } from './room.ts'

export type StampPlace = { page: PdfRef; rectangle: Rectangle }

/** Pages that are searched from the last one backwards, before the first one. */
const LAST_PAGES = 4
/** In points: how much farther from the chosen point a larger stamp may stand. */
const WORTH = 24

/**
 * The blank place for a stamp nearest to the chosen one. Without a choice, or where its page has no more room, the lowest
 * on the last pages, else on the first one, from the right; undefined if there is none that is sure to be blank.
 *
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 */
export function findStampPlace(
  document: PdfDocument,
  choice?: StampChoice,
): StampPlace | undefined {
  const pages = document.once(pagesOf)
  const chosen = choice && pages[choice.page - 1]
  const room = chosen && roomOn(document, chosen)
  const rectangle = room && nearestPlace(room, choice)
  if (room && rectangle) return { page: room.page, rectangle }
  for (const page of [...pages.slice(-LAST_PAGES).reverse(), ...pages.slice(0, 1)]) {
    const room = roomOn(document, page)
    const rectangle = room && lowestPlace(room)
    if (room && rectangle) return { page: room.page, rectangle }
  }
  return undefined
}

function lowestPlace(room: Room): Rectangle | undefined {
  for (const size of STAMP_SIZES) {
    const { value } = blankPlaces(room, size).next()
    if (value) return value
  }
  return undefined
}

/** In thousandths of the page as it is shown, from its upper left corner. */
export type PointOnPage = Pick<StampChoice, 'x' | 'y'>

/** The blank place whose middle is nearest to the point, or comes as near as the edges let it; undefined if there is none. */
export function nearestPlace(room: Room, point: PointOnPage): Rectangle | undefined {
  let best: { rectangle: Rectangle; distance: number } | undefined
  for (const size of STAMP_SIZES) {
    const wanted = cornerFor(room, size, point)
    for (const rectangle of blankPlaces(room, size)) {
      const distance = Math.hypot(rectangle.x - wanted.x, rectangle.y - wanted.y)
      const worth = best && best.rectangle.height > size.height ? WORTH : 0
      if (!best || distance + worth < best.distance) best = { rectangle, distance }
    }
  }
  return best?.rectangle
}

/** The lower left corner of a stamp around the point, within the edges. */
function cornerFor(room: Room, size: { width: number; height: number }, point: PointOnPage) {
  const { shown } = room
  const within = withinEdges(room)
  const x = shown.left + ((shown.right - shown.left) * point.x) / 1000 - size.width / 2
  const y = shown.top - ((shown.top - shown.bottom) * point.y) / 1000 - size.height / 2
  return {
    x: Math.max(within.left, Math.min(x, within.right - size.width)),
    y: Math.max(within.bottom, Math.min(y, within.top - size.height)),
  }
}
