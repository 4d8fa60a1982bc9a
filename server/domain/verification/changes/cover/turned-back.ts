import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isNamed, type PdfObject } from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import { type Box, heightOf, widthOf } from '#server/domain/verification/looks/geometry.ts'

/** How far readers turn a page, clockwise. */
export type Turn = 0 | 90 | 180 | 270

export function turnOf(document: PdfDocument, { inherited }: PdfPage): Turn {
  const written = document.resolve(inherited.get('Rotate'))
  const quarters = typeof written === 'number' ? Math.round(written / 90) : 0
  return TURNS.at(quarters % 4)!
}

const TURNS: readonly Turn[] = [0, 90, 180, 270]

/**
 * Where most readers draw an annotation that stays upright on a turned page: turned back about its upper left corner.
 * Poppler turns all notes, whatever their flags. Undefined for all others.
 *
 * @see ISO 32000-2:2020, 12.5.3, flag "NoRotate"
 */
export function turnedBack(
  document: PdfDocument,
  annotation: ReadonlyMap<string, PdfObject>,
  { place, turn }: { place: Box; turn: Turn },
): Box | undefined {
  const flags = document.resolve(annotation.get('F'))
  const isNote = isNamed(document.resolve(annotation.get('Subtype')), 'Text')
  const isUpright = isNote || (typeof flags === 'number' && (flags & NO_ROTATE) !== 0)
  if (turn === 0 || !isUpright) return undefined
  const [{ left: x, top: y }, width, height] = [place, widthOf(place), heightOf(place)]
  if (turn === 90) return { left: x, bottom: y, right: x + height, top: y + width }
  if (turn === 180) return { left: x - width, bottom: y, right: x, top: y + height }
  return { left: x - height, bottom: y - width, right: x, top: y }
}

const NO_ROTATE = 1 << 4
