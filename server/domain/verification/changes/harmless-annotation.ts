import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isName,
  isRef,
  isStream,
  type PdfObject,
  type PdfRef,
} from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import { areaOf, boxIn } from '#server/domain/verification/looks/geometry.ts'
import { reachOutOf } from '#server/domain/verification/looks/reach-out.ts'
import type { Comparison } from './comparison.ts'
import { scribblesOverLetters } from './cover/scribbles.ts'
import { signatureCover } from './cover/signature-cover.ts'
import { isDrawnLegibly, WIDEST_LINE } from './drawn-mark.ts'
import { type PaintedLook, paintedLook } from './painted-look.ts'

/** What notes and marks say; neither actions (/A, /AA) nor layers (/OC), nor a way to other files. */
const KEYS = new Set(
  (
    'Type Subtype Rect Contents P NM M F AP AS Border BS C CA ca T Popup RC CreationDate IRT Subj RT IT ' +
    'QuadPoints Name Open State StateModel Parent StructParent Lang BE RD'
  ).split(' '),
)

/** The icon of a note: no larger than it must be to be seen, in points. */
const LARGEST_ICON = 40

/** Of each kind, whether a look of its own leaves what is below it legible. */
const KINDS: Record<string, (look: PaintedLook) => boolean> = {
  Text: () => true,
  Popup: () => true,
  Highlight: ({ covers, widestStroke }) => !covers && widestStroke <= WIDEST_LINE,
  Underline: ({ covers, widestStroke }) => !covers && widestStroke <= WIDEST_LINE,
  Squiggly: ({ covers, widestStroke }) => !covers && widestStroke <= WIDEST_LINE,
  StrikeOut: ({ covers, widestStroke }) => !covers && widestStroke <= WIDEST_LINE,
}

/** Those of a text. */
const MARKS = new Set(['Highlight', 'Underline', 'Squiggly', 'StrikeOut'])

/**
 * What an annotation that was added later does to what was signed: nothing, if it is a note or a mark that can neither
 * hide nor replace it; `doubtful` if it is a note over something that cannot be read, such as a scan, or draws over
 * letters. One that lay in the signed file, unused, is something else.
 *
 * @param page that lists it, as it was signed
 * @see ISO 32000-2:2020, 12.5.6
 */
export function harmOf(comparison: Comparison, item: PdfObject, page: PdfPage): Harm {
  if (!isRef(item) || !isNoteOrMark(comparison, item)) return 'overlay'
  const { content } = signatureCover(comparison, [item.number])
  const isDoubtful = content === 'doubtful'
  if (content === 'hidden' || (isDoubtful && kindOf(comparison, item) !== 'Text')) return 'overlay'
  return isDoubtful || scribblesOverLetters(comparison, item.number, page) ? 'doubtful' : 'none'
}

type Harm = 'none' | 'doubtful' | 'overlay'

function kindOf({ after }: Comparison, item: PdfRef): string {
  const subtype = after.resolve(entriesOf(after.resolve(item)).get('Subtype'))
  return isName(subtype) ? subtype.value : ''
}

/** Of itself, wherever it is. */
function isNoteOrMark(comparison: Comparison, item: PdfRef): boolean {
  const { before, after } = comparison
  const annotation = after.resolve(item)
  if (!isDictionary(annotation)) return false
  const isNew = (before.entry(item.number)?.kind ?? 'free') === 'free'
  const kind = kindOf(comparison, item)
  const isLegible = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (!isNew || !isLegible || ![...annotation.entries.keys()].every((key) => KEYS.has(key)))
    return false
  const size = sizeOf(after, annotation.entries.get('Rect'))
  const looks = looksOf(after, annotation.entries.get('AP'))
  // Of looks for states, and of those for a pressed button, some readers draw none, but what is theirs.
  const normal = after.resolve(entriesOf(after.resolve(annotation.entries.get('AP'))).get('N'))
  if (looks.length > 0 && !isStream(normal)) return false
  // The icon that readers have themselves is small, however large the rectangle.
  if (kind === 'Text' && looks.length > 0 && size > LARGEST_ICON) return false
  if (MARKS.has(kind) && looks.length === 0) return isDrawnLegibly(after, annotation.entries)
  // Ghostscript draws a look without a place in the size in which it was made.
  const place = boxIn(after, annotation.entries.get('Rect'))
  if (looks.length > 0 && !(place && areaOf(place) > 0)) return false
  return looks.every((look) => isLegibleLook(after, look, size, isLegible))
}

function isLegibleLook(
  document: PdfDocument,
  look: PdfObject,
  size: number,
  isLegible: (look: PaintedLook) => boolean,
): boolean {
  if (!isStream(look) || isEnlarged(document, look, size)) return false
  const painted = paintedLook(document, look)
  return (
    painted !== undefined &&
    !painted.speaks &&
    isLegible(painted) &&
    reachOutOf(document, look) === 'none'
  )
}

/** All appearances, of all states: each once. */
function looksOf(document: PdfDocument, appearance: PdfObject | undefined): PdfObject[] {
  const written = document.resolve(appearance)
  const looks = [...entriesOf(written).values()]
    .map(document.resolve)
    .flatMap((look) =>
      isDictionary(look) ? [...look.entries.values()].map(document.resolve) : [look],
    )
  return [...new Set(looks)]
}

/** The appearance is fitted into the rectangle: a small one drawn large has wide lines. */
function isEnlarged(document: PdfDocument, look: PdfObject, size: number): boolean {
  const entries = entriesOf(look)
  return entries.has('Matrix')
    ? !isTranslation(document, entries.get('Matrix'))
    : sizeOf(document, entries.get('BBox')) * 2 < size
}

function isTranslation(document: PdfDocument, value: PdfObject | undefined): boolean {
  const matrix = document.resolve(value)
  const numbers = isArray(matrix) ? matrix.items.map(document.resolve) : []
  return [1, 0, 0, 1].every((one, at) => numbers[at] === one)
}

/** The longer side, in points; infinite for what is no rectangle. */
function sizeOf(document: PdfDocument, value: PdfObject | undefined): number {
  const rectangle = document.resolve(value)
  const [left, bottom, right, top] = isArray(rectangle) ? rectangle.items.map(document.resolve) : []
  const side = (a: PdfObject | undefined, b: PdfObject | undefined) =>
    typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) : Number.POSITIVE_INFINITY
  return Math.max(side(left, right), side(bottom, top))
}
