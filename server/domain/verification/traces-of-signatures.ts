import { type ByteSource, chunksOf, type Span } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isTrailed } from './file-warnings.ts'

/**
 * Whether a signature may have been in a file in which none is found: the file is cut off or mended, or its
 * bytes hold a piece of a signature that belongs to no object.
 *
 * @throws {PdfError} `too-complex`, `encrypted`
 */
export function mayHaveLostSignatures(document: PdfDocument): boolean {
  if (document.isRebuilt || isTrailed(document) || endsEarly(document)) return true
  const traces = tracesIn(document.source)
  // Where rows lead astray, an object that was a signature may stand under another number, or under none.
  return traces.length > 0 && (document.isRepaired || hasLooseTraces(document, traces))
}

/** The last revision has no %%EOF. */
function endsEarly({ source, revisions }: PdfDocument): boolean {
  const end = revisions.at(-1)?.markerEnd ?? 0
  return Buffer.from(source.read(Math.max(0, end - 5), end)).toString('latin1') !== '%%EOF'
}

/** What only signatures are written with: the range, and a string of hexadecimal that begins like a CMS. */
const MARKS = ['/ByteRange', '/Contents<30', '/Contents <30', '/Contents\n<30']
const LONGEST_MARK = Math.max(...MARKS.map(({ length }) => length))
const CHUNK = 1 << 20

/** An honest file without signatures has some at most in its attachments; each costs the reading of an object. */
const MOST_TRACES = 64

/** Where the marks stand in the file: one more than are looked at, when there are more. */
function tracesIn(source: ByteSource): number[] {
  const traces: number[] = []
  let start = 0
  let rest: Uint8Array = new Uint8Array()
  for (const chunk of chunksOf(source, { start: 0, end: source.length }, CHUNK)) {
    const bytes = Buffer.concat([rest, chunk])
    for (const mark of MARKS)
      for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
        traces.push(start + at)
        if (traces.length > MOST_TRACES) return traces
      }
    rest = bytes.subarray(Math.max(0, bytes.length - LONGEST_MARK + 1))
    start += bytes.length - rest.length
  }
  return traces
}

/** Each state of a file that is looked at costs its whole cross-reference; a removed signature needs one or two. */
const MOST_STATES = 8

/** What an object of any revision holds was read and judged there, or is the content of a stream. */
function hasLooseTraces(document: PdfDocument, traces: readonly number[]): boolean {
  if (traces.length > MOST_TRACES) return true
  if (traces.length === 0) return false
  const places = placesOf(document)
  const states = new Map([[document.revisions.length - 1, document]])
  return traces.some((trace) => {
    const place = lastBefore(places, trace)
    if (!place || states.size > MOST_STATES) return true
    const state = states.get(place.revision) ?? document.at(place.revision)
    states.set(place.revision, state)
    const span = state.object(place.number)?.span
    return !span || !contains(span, trace)
  })
}

type Place = { offset: number; number: number; revision: number }

/** Where each revision says that an object begins, in the order of the file. */
function placesOf({ revisions }: PdfDocument): Place[] {
  return revisions
    .flatMap(({ entries, index }) =>
      [...entries].flatMap(([number, entry]) =>
        entry.kind === 'offset' ? [{ offset: entry.offset, number, revision: index }] : [],
      ),
    )
    .sort((a, b) => a.offset - b.offset)
}

const lastBefore = (places: readonly Place[], position: number) =>
  places.findLast(({ offset }) => offset <= position)

const contains = ({ start, end }: Span, position: number) => start <= position && position < end
