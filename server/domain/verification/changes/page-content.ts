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

const MAX_PAGE = 4 << 20

/** What the signed page draws; `isWhole` where all of it was read. */
export function contentOf(
  document: PdfDocument,
  { dictionary, inherited }: PdfPage,
): { content: readonly Mark[]; isWhole: boolean } {
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
  return { content: ink.marks, isWhole: !ink.isCut }
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
 * The places of other annotations of the signed page that show something, and the texts that they show. Signatures stand
 * on each other in files of honest programs: pictures show those.
 */
export function annotationsOn(
  document: PdfDocument,
  page: PdfPage,
): { boxes: Box[]; texts: Run[] } {
  const signatures = new Set(
    formFields(document)
      .filter(({ type }) => type === 'Sig')
      .flatMap(({ widgets }) => widgets.map(({ number }) => number)),
  )
  const list = document.resolve(page.dictionary.entries.get('Annots'))
  const shown = (isArray(list) ? list.items : []).flatMap((item) => {
    const entries = entriesOf(document.resolve(item))
    const box = boxIn(document, entries.get('Rect'))
    const look = document.resolve(entriesOf(document.resolve(entries.get('AP'))).get('N'))
    const isEmpty = look === null || (isStream(look) && look.data.end === look.data.start)
    const isSignature = signatures.has(isRef(item) ? item.number : -1)
    if (!box || isEmpty || isSignature || areaOf(box) === 0) return []
    return [{ box, texts: isStream(look) ? textsIn(document, entries, look, box) : [] }]
  })
  return { boxes: shown.map(({ box }) => box), texts: shown.flatMap(({ texts }) => texts) }
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
