import { concatBytes } from '#server/domain/bytes.ts'
import { MAX_OPERATIONS_OF_SEAL } from '#server/domain/pdf/content-stream.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { entriesOf, isArray, isStream } from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import { IDENTITY } from '#server/domain/verification/looks/geometry.ts'
import { inkOfContent } from '#server/domain/verification/looks/ink.ts'
import {
  type Ink,
  type Mark,
  MOST_PIECES,
  piecesIn,
  UNREADABLE,
} from '#server/domain/verification/looks/marks.ts'

/** What a page draws itself, without its annotations. */
export type PageContent = {
  readonly marks: readonly Mark[]
  /** All of it was read. */
  readonly isWhole: boolean
  /** It may draw letters that were not read. */
  readonly isUnread: boolean
  /** How many marks, lines and curves there are. */
  readonly pieces: number
}

const MAX_PAGE = 4 << 20

/** What each page of a document draws. For `once`. */
export function pageContents(document: PdfDocument): (page: PdfPage) => PageContent {
  const known = new Map<PdfPage, PageContent>()
  let room = MOST_PIECES
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
  const { marks, isCut, isUnread } = readOr(() =>
    inkOfContent(document, bytes, resources, canvas, MAX_OPERATIONS_OF_SEAL),
  )
  return { marks, isWhole: !isCut, isUnread, pieces: piecesOf(marks) }
}

export const piecesOf = (marks: readonly Mark[]) =>
  marks.reduce((sum, mark) => sum + piecesIn(mark), 0)

function readOr(read: () => Ink): Ink {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError) return UNREADABLE
    throw error
  }
}
