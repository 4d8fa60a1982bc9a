import { type ByteSource, chunksOf, type Span } from '#server/domain/bytes.ts'
import { latin1 } from '#server/domain/pdf/characters.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { SignatureDictionary } from '#server/domain/pdf/signature-dictionaries.ts'
import { type Warning, warning } from './codes/warning.ts'
import type { ByteRange } from './digests.ts'
import type { Coverage } from './report.ts'

export type CoverageFacts = {
  coverage: Coverage
  /** Present when its four numbers lie in the file and begin at 0: then a digest can be computed. */
  byteRange?: ByteRange
  /** Which revision was signed (from 0); absent when the signed bytes end at none. */
  revision?: number
  /** When the coverage is not what it must be. */
  reason?: Warning
}

/**
 * How much of the file a signature covers. Four numbers, from 0, around exactly this dictionary's own
 * /Contents with its brackets, up to the end of a revision: all else is UNCLEAR.
 *
 * @see ISO 32000-2:2020, 12.8.1, entry "ByteRange"; verification attacks on it: signature wrapping,
 *   universal forgery
 */
export function judgeCoverage(
  document: PdfDocument,
  signature: Pick<SignatureDictionary, 'byteRange' | 'contentsSpan' | 'contentsForm'>,
): CoverageFacts {
  const byteRange = readByteRange(signature.byteRange)
  if (typeof byteRange === 'string') return unclear(byteRange)
  const [, gapStart, gapEnd, tailLength] = byteRange
  const end = gapEnd + tailLength
  if (end > document.source.length) return unclear('byte-range-beyond-file')
  const span = signature.contentsSpan
  const gap = { start: gapStart, end: gapEnd }
  if (!span || signature.contentsForm !== 'hexadecimal')
    return { ...unclear(misplaced(document.source, gap, 'contents-misplaced')), byteRange }
  if (span.start !== gapStart || span.end !== gapEnd)
    return { ...unclear(misplaced(document.source, gap, 'gap-differs-from-contents')), byteRange }
  if (!isPlainHexadecimal(document.source, { start: span.start + 1, end: span.end - 1 }))
    return { ...unclear(misplaced(document.source, gap, 'foreign-bytes-in-contents')), byteRange }
  return { ...coverageUpTo(end, document), byteRange }
}

type Fault =
  | 'byte-range-missing'
  | 'byte-range-impossible'
  | 'byte-range-beyond-file'
  | 'contents-misplaced'
  | 'gap-differs-from-contents'
  | 'foreign-bytes-in-contents'
  | 'objects-in-gap'
  | 'signed-end-inside-revision'

/** The wrapping attack needs a gap with objects of its own; without them the signature is only written badly. */
function misplaced(source: ByteSource, { start, end }: Span, fault: Fault): Fault {
  const gap = source.read(start, Math.min(end, start + GAP_LIMIT))
  return /\d[\0\s]+obj\b|\bxref\b/.test(latin1(gap)) ? 'objects-in-gap' : fault
}

/** Far more than a signature with all its certificates and answers. */
const GAP_LIMIT = 16 << 20

/** Readers skip what is no digit, so that objects and whole revisions could hide in the one place that is not signed. */
function isPlainHexadecimal(source: ByteSource, span: Span): boolean {
  for (const chunk of chunksOf(source, span))
    for (const byte of chunk) if (IS_DIGIT_OR_SPACE[byte] !== 1) return false
  return true
}

const IS_DIGIT_OR_SPACE = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[0-9A-Fa-f\0\t\n\f\r ]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

function coverageUpTo(end: number, { source, revisions, isRebuilt }: PdfDocument): CoverageFacts {
  if (end === source.length) return { coverage: 'ENTIRE_FILE', revision: revisions.length - 1 }
  const revision = revisions.findIndex(
    (candidate) => candidate.end === end || candidate.markerEnd === end,
  )
  if (isRebuilt || revision < 0) return unclear('signed-end-inside-revision')
  return { coverage: 'ENTIRE_REVISION', revision }
}

function readByteRange(values: SignatureDictionary['byteRange']): ByteRange | Fault {
  if (values?.length !== 4) return 'byte-range-missing'
  const [start, gapStart, gapEnd, tail] = values
  const isCount = (value: unknown): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  if (!isCount(start) || !isCount(gapStart) || !isCount(gapEnd) || !isCount(tail))
    return 'byte-range-impossible'
  if (start !== 0 || gapStart >= gapEnd) return 'byte-range-impossible'
  return [start, gapStart, gapEnd, tail]
}

const unclear = (code: Fault): CoverageFacts => ({ coverage: 'UNCLEAR', reason: warning(code) })
