import { boxOnPage, type Frame } from '#server/domain/verification/looks/frame.ts'
import {
  type Box,
  intersection,
  isWithin,
  overlaps,
} from '#server/domain/verification/looks/geometry.ts'
import { runsOf } from '#server/domain/verification/looks/marks.ts'
import { boxOf } from './cover/mark-box.ts'

/** Which part of the size of its letters the edge of a page may take from a text. */
const EDGE = 0.2

/**
 * Whether the edge of the page cuts a field's text off, so that a part of it is seen: of 1000.00 that may be 1000. A
 * field that is not on the shown page at all shows nothing.
 *
 * @param place of the field on its page
 * @param shown of the page
 */
export function isCutByPage(frame: Frame, place: Box, shown: Box): boolean {
  const field = { left: 0, bottom: 0, right: frame.width, top: frame.height }
  const onPage = boxOnPage(frame, place)
  const runs = runsOf(frame.ink).filter(({ text }) => text?.trim() !== '')
  // Of lines for which the field has no room nothing is seen.
  const inField = runs.filter((run) => overlaps(boxOf(run), field))
  const texts = inField.map((run) => ({
    box: onPage(intersection(boxOf(run), field)),
    size: run.size,
  }))
  return (
    texts.some(({ box }) => overlaps(box, shown)) &&
    !texts.every(({ box, size }) => isWithin(box, shown, size * EDGE))
  )
}
