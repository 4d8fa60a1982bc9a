import { concatBytes } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isArray, isRef, isStream, type PdfObject } from '#server/domain/pdf/object.ts'
import { type PdfPage, pagesOf } from '#server/domain/pdf/pages.ts'
import { changeFact } from '#server/domain/verification/facts/change-facts.ts'
import { frameOf } from '#server/domain/verification/looks/frame.ts'
import {
  areaOf,
  type Box,
  boxIn,
  heightOf,
  IDENTITY,
  intersection,
  isWithin,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import { inkOfContent } from '#server/domain/verification/looks/ink.ts'
import { type Ink, type Mark, UNREADABLE } from '#server/domain/verification/looks/marks.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, knownAs, other } from './finding.ts'
import { hasColours } from './painted-look.ts'

/** Where the look of a later signature is. */
type SignatureCover = {
  /** Counts from 1; absent for a look on no page of the signed document. */
  readonly page?: number
  /** `hidden`: signed content is below an area of the look; `doubtful`: there may be some; `above`: below letters and lines. */
  readonly content: 'none' | 'above' | 'doubtful' | 'hidden'
}

const ORDER = ['none', 'above', 'doubtful', 'hidden'] as const

/**
 * The finding about a later signature, with what its look does to the signed pages: it may not hide what was signed, and
 * where it is drawn over something, pictures show the page.
 *
 * @param widgets of the signature's field
 */
export function withCover(
  comparison: Comparison,
  finding: Finding,
  { name, widgets }: { name: string; widgets: readonly number[] },
): Finding {
  const { page, content } = signatureCover(comparison, widgets)
  if (page === undefined || content === 'none') return finding
  const { object } = finding
  if (content === 'above') return { ...finding, page }
  if (content === 'doubtful')
    return {
      level: 'ANNOTATIONS',
      object,
      page,
      ...changeFact('signature-may-cover-content', { field: name, page }),
    }
  const fact = changeFact('signature-covers-content', { field: name, page })
  return knownAs('overlay-by-annotation', other(object, fact, page))
}

/**
 * What of the signed pages is below the look of a signature that was made later.
 *
 * @param widgets of the signature's field
 */
function signatureCover(comparison: Comparison, widgets: readonly number[]): SignatureCover {
  const covers = pagesOf(comparison.before).flatMap((page, index) => {
    if (!page.ref) return []
    const now = entriesOf(comparison.after.object(page.ref.number)?.value)
    const list = comparison.after.resolve(now.get('Annots'))
    const here = (isArray(list) ? list.items : [])
      .filter(isRef)
      .map(({ number }) => number)
      .filter((number) => widgets.includes(number))
    return here.map((widget) => ({ page: index + 1, content: below(comparison, page, widget) }))
  })
  return (
    covers.toSorted((a, b) => ORDER.indexOf(b.content) - ORDER.indexOf(a.content))[0] ?? {
      content: 'none',
    }
  )
}

function below(comparison: Comparison, page: PdfPage, number: number): SignatureCover['content'] {
  const { before, after } = comparison
  const widget = entriesOf(after.object(number)?.value)
  const place = boxIn(after, widget.get('Rect'))
  if (!place || areaOf(place) === 0) return 'none'
  const areas = areasOf(after, widget, place)
  const { content, isKnown } = contentOf(before, page)
  const others = annotationsOn(before, page)
  const isHidden = (area: Box) =>
    content.some((mark) => isContentBelow(mark, area)) ||
    others.some((other) => areaOf(solid(intersection(other, area))) > areaOf(other) * 0.15)
  if (areas.some(({ box }) => isHidden(box))) return 'hidden'
  // A scanned page may show anything. The emblems that programs draw into signatures leave most of it to be seen.
  const blunt = areas.filter(({ isEmblem }) => !isEmblem)
  const isPictured = content.some(
    (mark) => mark.kind === 'picture' && blunt.some(({ box }) => overlaps(mark.box, box)),
  )
  if (blunt.length > 0 && (!isKnown || isPictured)) return 'doubtful'
  return content.some((mark) => overlaps(boxOf(mark), place)) ? 'above' : 'none'
}

const solid = (box: Box): Box => (widthOf(box) > 0 && heightOf(box) > 0 ? box : NOWHERE)
const NOWHERE: Box = { left: 0, bottom: 0, right: 0, top: 0 }

/** In points: as thin as the line on which people sign, and as large as no letter of a signature is. */
const [THIN, LARGE] = [2, 36] as const

/** In points: how far a letter of turned text reaches. */
const USUAL_LETTER = 6

const overlaps = (a: Box, b: Box) => {
  const both = intersection(a, b)
  return widthOf(both) > 0.5 && heightOf(both) > 0.5
}

type Area = { readonly box: Box; readonly isEmblem: boolean }

/** The areas of a look that hide what is below them. */
function areasOf(
  document: PdfDocument,
  widget: ReadonlyMap<string, PdfObject>,
  place: Box,
): Area[] {
  const whole = [{ box: place, isEmblem: false }]
  const look = document.resolve(entriesOf(document.resolve(widget.get('AP'))).get('N'))
  if (look === null) return hasColours(document, widget) ? whole : []
  if (!isStream(look)) return whole
  const frame = frameOf(document, widget, look)
  const isUpright = Math.abs(frame.width - widthOf(place)) < 0.5
  const { marks, isOdd } = frame.drawn
  if (isOdd || (marks.length > 0 && !isUpright)) return whole
  return marks.filter(isArea).map((mark) => {
    const { left, bottom, right, top } = intersection(boxOf(mark), mark.clip)
    const box = {
      left: left + place.left,
      right: right + place.left,
      bottom: bottom + place.bottom,
      top: top + place.bottom,
    }
    return { box, isEmblem: mark.kind !== 'text' && mark.curves > 0 }
  })
}

function isArea(mark: Mark): boolean {
  if (mark.kind === 'text') return Math.abs(mark.size) > LARGE
  if (mark.kind === 'stroke') return mark.covers && mark.lineWidth > 2 * THIN
  return mark.covers && widthOf(mark.box) > THIN && heightOf(mark.box) > THIN
}

function boxOf(mark: Mark): Box {
  if (mark.kind !== 'text') {
    const half = mark.kind === 'stroke' ? mark.lineWidth / 2 : 0
    const { left, bottom, right, top } = mark.box
    return { left: left - half, bottom: bottom - half, right: right + half, top: top + half }
  }
  const [x, y] = mark.start
  if (!mark.isUpright) {
    const reach = mark.letters * USUAL_LETTER
    return { left: x - reach, right: x + reach, bottom: y - reach, top: y + reach }
  }
  const [least, most] = [Math.min(x, mark.leastEnd), Math.max(x, mark.leastEnd)]
  return {
    left: least,
    right: most,
    bottom: y - Math.abs(mark.size) * 0.1,
    top: y + Math.abs(mark.size) * 0.6,
  }
}

/** Neither white nor as thin as a line to sign on, and no ground on which all of the area stands. */
function isContentBelow(mark: Mark, area: Box): boolean {
  const box = intersection(boxOf(mark), mark.clip)
  if (mark.kind === 'picture' || !overlaps(box, area)) return false
  if (mark.lightness !== undefined && mark.lightness > 0.95 && mark.kind !== 'text') return false
  if (mark.kind === 'text')
    return mark.mode !== 3 && mark.mode !== 7 && !/^[\s_.\-–—]*$/u.test(mark.text ?? '?')
  if (mark.kind === 'fill' && isWithin(area, box, 1)) return false
  const isThin = Math.min(widthOf(box), heightOf(box)) <= THIN
  const isFrame = mark.kind === 'stroke' && mark.lineWidth <= THIN && mark.curves === 0
  return !isThin && !isFrame
}

const MAX_PAGE = 4 << 20

/** What the signed page draws; `isKnown` where all of it was read. */
function contentOf(
  document: PdfDocument,
  { dictionary, inherited }: PdfPage,
): { content: readonly Mark[]; isKnown: boolean } {
  const written = document.resolve(dictionary.entries.get('Contents'))
  const streams = (isArray(written) ? written.items.map(document.resolve) : [written]).filter(
    isStream,
  )
  const bytes = () =>
    concatBytes(
      ...streams.flatMap((stream) => [document.decoded(stream, MAX_PAGE), Uint8Array.of(0x0a)]),
    )
  const everywhere = { left: -1e6, bottom: -1e6, right: 1e6, top: 1e6 }
  const canvas = { matrix: IDENTITY, clip: everywhere }
  const resources = entriesOf(document.resolve(inherited.get('Resources')))
  const ink = readOr(() => inkOfContent(document, bytes, resources, canvas))
  return { content: ink.marks, isKnown: !ink.isCut }
}

function readOr(read: () => Ink): Ink {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError) return UNREADABLE
    throw error
  }
}

/**
 * The places of other annotations of the signed page that show something. Signatures stand on each other in files of
 * honest programs: pictures show those.
 */
function annotationsOn(document: PdfDocument, page: PdfPage): Box[] {
  const signatures = new Set(
    formFields(document)
      .filter(({ type }) => type === 'Sig')
      .flatMap(({ widgets }) => widgets.map(({ number }) => number)),
  )
  const list = document.resolve(page.dictionary.entries.get('Annots'))
  return (isArray(list) ? list.items : []).flatMap((item) => {
    const entries = entriesOf(document.resolve(item))
    const box = boxIn(document, entries.get('Rect'))
    const look = document.resolve(entriesOf(document.resolve(entries.get('AP'))).get('N'))
    const isEmpty = look === null || (isStream(look) && look.data.end === look.data.start)
    const isSignature = signatures.has(isRef(item) ? item.number : -1)
    return !box || isEmpty || isSignature || areaOf(box) === 0 ? [] : [box]
  })
}
