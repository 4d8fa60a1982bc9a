import { entriesOf, isArray, isRef } from '#server/domain/pdf/object.ts'
import { type PdfPage, pagesOf } from '#server/domain/pdf/pages.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import {
  areaOf,
  type Box,
  boxIn,
  heightOf,
  intersection,
  overlaps,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import type { LookFont } from '#server/domain/verification/looks/look-font.ts'
import type { Comparison } from './comparison.ts'
import { cellsOf, lossBelow, lossOf } from './content-loss.ts'
import { inkOver, type Trace } from './covering-ink.ts'
import { type Finding, knownAs, other } from './finding.ts'
import { knownFonts } from './known-fonts.ts'
import { boxOf } from './mark-box.ts'
import { annotationsOn, contentOf } from './page-content.ts'

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
 * What of the signed pages is below the look of a signature or note that was made later.
 *
 * @param widgets of the signature's field, or the note
 */
export function signatureCover(comparison: Comparison, widgets: readonly number[]): SignatureCover {
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
  const { areas, traces, fonts } = inkOver(after, widget, place)
  const { content: drawn, isWhole } = contentOf(before, page)
  const { boxes: others, texts } = annotationsOn(before, page)
  const content = [...drawn, ...texts]
  const losses = areas.map(({ box }) => lossBelow(content, box))
  const isNoteHidden = (area: Box) =>
    others.some((other) => areaOf(solid(intersection(other, area))) > areaOf(other) * 0.15)
  if (losses.includes('hidden') || areas.some(({ box }) => isNoteHidden(box))) return 'hidden'
  const written = content.filter((mark) => lossOf(mark, place) !== 'none')
  // Letters that come with the look can be as large as it is, whatever their size.
  const isKnown = knownFonts(comparison)
  const areLettersKnown = fonts.every((font) => isNamedSign(font) || isKnown(font))
  if (isBlackened([...written.flatMap(cellsOf), ...others], traces, comparison)) return 'hidden'
  if (losses.includes('doubtful') || (written.length > 0 && !areLettersKnown)) return 'doubtful'
  // A scanned page may show anything. The emblems that programs draw into signatures leave most of it to be seen.
  const blunt = areas.filter(({ isEmblem }) => !isEmblem)
  const isPictured = content.some(
    (mark) => mark.kind === 'picture' && blunt.some(({ box }) => overlaps(mark.box, box)),
  )
  if (blunt.length > 0 && (!isWhole || isPictured)) return 'doubtful'
  return content.some((mark) => overlaps(boxOf(mark), place)) ? 'above' : 'none'
}

/** Signs that readers have themselves. */
const isNamedSign = ({ drawsSigns, isEmbedded, isDrawn }: LookFont) =>
  drawsSigns && !isEmbedded && !isDrawn

/** Whether so many letters and lines are drawn over one of the boxes that it cannot be read. */
function isBlackened(boxes: readonly Box[], traces: readonly Trace[], comparison: Comparison) {
  comparison.spend(Math.ceil((boxes.length * traces.length) / STEPS_IN_ONE))
  return boxes.some((box) => {
    const black = traces.reduce(
      (sum, trace) => sum + areaOf(solid(intersection(trace.box, box))) * trace.part,
      0,
    )
    return areaOf(box) > 0 && black > areaOf(box)
  })
}

const STEPS_IN_ONE = 100

const solid = (box: Box): Box => (widthOf(box) > 0 && heightOf(box) > 0 ? box : NOWHERE)
const NOWHERE: Box = { left: 0, bottom: 0, right: 0, top: 0 }
