import { concatBytes } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isArray,
  isRef,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import { frameOf } from '#server/domain/verification/looks/frame.ts'
import { areaOf, type Box, boxIn, IDENTITY } from '#server/domain/verification/looks/geometry.ts'
import { inkOfContent } from '#server/domain/verification/looks/ink.ts'
import {
  type Ink,
  type Mark,
  type Run,
  runsOf,
  UNREADABLE,
} from '#server/domain/verification/looks/marks.ts'

/** What a page draws itself, without its annotations. */
export type PageContent = {
  readonly marks: readonly Mark[]
  /** All of it was read. */
  readonly isWhole: boolean
  /** How many marks, lines and curves there are. */
  readonly pieces: number
}

const MAX_PAGE = 4 << 20
/** In pieces: what is kept in memory of one document. */
const MOST_KEPT = 300_000

/** What each page of a document draws. For `once`. */
export function pageContents(document: PdfDocument): (page: PdfPage) => PageContent {
  const known = new Map<PdfPage, PageContent>()
  let room = MOST_KEPT
  return (page) => {
    const kept = known.get(page)
    if (kept) return kept
    const content = contentOf(document, page)
    if (content.pieces <= room) {
      room -= content.pieces
      known.set(page, content)
    }
    return content
  }
}

function contentOf(document: PdfDocument, { dictionary, inherited }: PdfPage): PageContent {
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
  const { marks, isCut } = readOr(() => inkOfContent(document, bytes, resources, canvas))
  return { marks, isWhole: !isCut, pieces: piecesOf(marks) }
}

const piecesOf = (marks: readonly Mark[]) =>
  marks.reduce(
    (sum, mark) => sum + 1 + (mark.kind === 'text' ? 0 : mark.segments.length + mark.curves.length),
    0,
  )

function readOr(read: () => Ink): Ink {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError) return UNREADABLE
    throw error
  }
}

/** An annotation of a page that shows something. */
export type ShownAnnotation = {
  readonly box: Box
  /** What its look writes, in the coordinates of the page. */
  texts(): readonly Run[]
}

/**
 * The annotations of each page that show something, without signatures: these stand on each other in files of honest
 * programs, and pictures show it. For `once`.
 */
export function pageAnnotations(document: PdfDocument): (page: PdfPage) => ShownAnnotation[] {
  const signatures = new Set(
    document
      .once(formFields)
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
    if (isRef(item) && signatures.has(item.number)) return []
    const entries = entriesOf(document.resolve(item))
    const box = boxIn(document, entries.get('Rect'))
    const look = document.resolve(entriesOf(document.resolve(entries.get('AP'))).get('N'))
    const isEmpty = look === null || (isStream(look) && look.data.end === look.data.start)
    if (!box || isEmpty || areaOf(box) === 0) return []
    let texts: Run[] | undefined
    return [
      {
        box,
        texts() {
          texts ??= isStream(look) ? textsIn(document, entries, look, box) : []
          return texts
        },
      },
    ]
  })
}

/** What a look writes, in the coordinates of the page. */
function textsIn(
  document: PdfDocument,
  annotation: ReadonlyMap<string, PdfObject>,
  look: PdfStream,
  { left, bottom }: Box,
): Run[] {
  const { marks } = frameOf(document, annotation, look).drawn
  return runsOf({ marks }).map((run) => ({
    ...run,
    start: [run.start[0] + left, run.start[1] + bottom],
    end: [run.end[0] + left, run.end[1] + bottom],
    leastEnd: run.leastEnd + left,
    likelyEnd: run.likelyEnd + left,
    mostEnd: run.mostEnd + left,
    clip: {
      left: run.clip.left + left,
      right: run.clip.right + left,
      bottom: run.clip.bottom + bottom,
      top: run.clip.top + bottom,
    },
  }))
}
