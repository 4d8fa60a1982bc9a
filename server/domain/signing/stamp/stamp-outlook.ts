import type { ByteSource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import type { PdfRef } from '#server/domain/pdf/object.ts'
import { type PageSize, shownSizeOf } from '#server/domain/pdf/page-size.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import type { SignaturePlan, StampFacts } from '#server/domain/signing/increment.ts'
import { mayBeSigned } from '#server/domain/signing/may-be-signed.ts'
import { cornersOf, type SheetFonts } from '#server/domain/signing/paper.ts'
import { stampBefore } from '#server/domain/signing/prepare-increment.ts'
import { Instant } from '#server/domain/time.ts'
import type { Box } from '#server/domain/verification/looks/geometry.ts'
import { ifReadable, rulesOutStamps } from './place-stamp.ts'
import { type Room, roomOn } from './room.ts'
import { nearestPlace, type PointOnPage } from './stamp-place.ts'

/** A stamp on a page, in thousandths of the page as it is shown, from its upper left corner. */
export type PlacedStamp = {
  /** Counts from 1. */
  page: number
  left: number
  top: number
  width: number
  height: number
}

/** Why a signature will not be visible. */
export type StampObstacle =
  /** No signature at all is allowed. */
  | 'closed'
  /** A certification admits no visible fields. */
  | 'certified'
  /** A PDF/A file whose colours have no meaning. */
  | 'no-colours'
  /** No page that is considered has a place that is sure to be blank. */
  | 'no-place'

/** Where the next stamp in a file will stand. */
export type StampForecast =
  | { kind: 'visible'; place: PlacedStamp }
  | { kind: 'invisible'; obstacle: StampObstacle }

export type StampQuery = {
  stamp: StampFacts
  /** The page whose blank places are wanted. */
  page?: number | undefined
  /** A point on it. */
  pointed?: PointOnPage | undefined
}

export type StampOutlook = {
  forecast: StampForecast
  /** Undefined unless a page was asked for, and there is one. */
  page?: StampPage | undefined
}

export type StampPage = {
  size: PageSize
  /** A blank place in each sixth of the page, two in a row, from the top; null where a sixth has none. */
  sixths: (PlacedStamp | null)[]
  /** The blank place nearest to the point; null without a point, or if the page has none. */
  pointed: PlacedStamp | null
}

/**
 * Where the next stamp will stand, and where else it could.
 *
 * @throws {PdfError} `encrypted`, `damaged`, `too-complex`
 */
export function stampOutlook(
  source: ByteSource,
  { stamp, page, pointed }: StampQuery,
  fonts: SheetFonts,
): StampOutlook {
  const document = readDocument(source)
  const forecast = forecastFor(document, stamp, fonts)
  const mayStand = forecast.kind === 'visible' || forecast.obstacle === 'no-place'
  return { forecast, page: page && mayStand ? pageOutlook(document, page, pointed) : undefined }
}

function forecastFor(document: PdfDocument, stamp: StampFacts, fonts: SheetFonts): StampForecast {
  const invisible = (obstacle: StampObstacle) => ({ kind: 'invisible', obstacle }) as const
  if (document.isRebuilt || !mayBeSigned(document)) return invisible('closed')
  const obstacle = rulesOutStamps(document)
  if (obstacle) return invisible(obstacle)
  const placed = stampBefore(document, { ...SAMPLE, stamp }, fonts)
  const place = placed && placedOn(document, placed.page, boxOf(placed.visible.rectangle))
  return place ? { kind: 'visible', place } : invisible('no-place')
}

/** Names and times of other lengths stand in the same place. */
const SAMPLE: SignaturePlan = {
  caption: {
    name: 'NOMBRE Y APELLIDOS',
    character: null,
    rfc: 'XAXX010101000',
    certificateNumber: '00001000000500000000',
  },
  reason: 'Firma electrónica',
  at: Instant.parse(0),
  contentsSize: 16_384,
  zone: 'UTC',
}

function pageOutlook(
  document: PdfDocument,
  number: number,
  point: PointOnPage | undefined,
): StampPage | undefined {
  const page = document.once(pagesOf)[number - 1]
  const size = page && shownSizeOf(document, page)
  if (!page || !size) return undefined
  const room = ifReadable(() => roomOn(document, page))
  const nearest = (to: PointOnPage) => {
    const rectangle = room && nearestPlace(room, to)
    return rectangle && placedIn(room, number, boxOf(cornersOf(rectangle)))
  }
  return {
    size,
    sixths: SIXTHS.map((sixth) => {
      const place = nearest(sixth)
      return place && isSame(sixthOf(middleOf(place)), sixth) ? place : null
    }),
    pointed: (point && nearest(point)) ?? null,
  }
}

/** Each by a point at the edge of the page, row by row. */
const SIXTHS: readonly PointOnPage[] = [0, 500, 1000].flatMap((y) => [
  { x: 0, y },
  { x: 1000, y },
])

const isSame = (one: PointOnPage, other: PointOnPage) => one.x === other.x && one.y === other.y

/** The sixth of the page in which a point is. */
export const sixthOf = ({ x, y }: PointOnPage): PointOnPage => ({
  x: x < 500 ? 0 : 1000,
  y: Math.min(2, Math.floor((y * 3) / 1000)) * 500,
})

/** What names a place when it is chosen. */
export const middleOf = ({ left, top, width, height }: PlacedStamp): PointOnPage => ({
  x: Math.round(left + width / 2),
  y: Math.round(top + height / 2),
})

function placedOn(document: PdfDocument, ref: PdfRef, box: Box): PlacedStamp | undefined {
  const pages = document.once(pagesOf)
  const index = pages.findIndex((page) => page.ref?.number === ref.number)
  const page = pages[index]
  const room = page && roomOn(document, page)
  return room && placedIn(room, index + 1, box)
}

function placedIn({ shown }: Room, page: number, box: Box): PlacedStamp {
  const [width, height] = [shown.right - shown.left, shown.top - shown.bottom]
  return {
    page,
    left: (1000 * (box.left - shown.left)) / width,
    top: (1000 * (shown.top - box.top)) / height,
    width: (1000 * (box.right - box.left)) / width,
    height: (1000 * (box.top - box.bottom)) / height,
  }
}

const boxOf = ([left, bottom, right, top]: readonly [number, number, number, number]): Box => ({
  ...{ left, bottom, right, top },
})

/** Whether the point is where this stamp stands. */
export const isAt = (
  { page, left, top, width, height }: PlacedStamp,
  { page: chosen, x, y }: PointOnPage & { page: number },
): boolean => page === chosen && x >= left && x <= left + width && y >= top && y <= top + height
