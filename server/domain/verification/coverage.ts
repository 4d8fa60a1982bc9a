import { type ByteSource, chunksOf, type Span } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { SignatureDictionary } from '#server/domain/pdf/signature-dictionaries.ts'
import type { ByteRange } from './digests.ts'
import type { Coverage } from './report.ts'

export type CoverageFacts = {
  coverage: Coverage
  /** Present when its four numbers lie in the file and begin at 0: then a digest can be computed. */
  byteRange?: ByteRange
  /** Which revision was signed (from 0); absent when the signed bytes end at none. */
  revision?: number
  /** es-MX, when the coverage is not what it must be. */
  reason?: string
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
  const byteRange = readByteRange(signature.byteRange, document.source.length)
  if (!byteRange)
    return unclear(
      'El intervalo de bytes firmado (ByteRange) falta o es imposible, como en una falsificación universal.',
    )
  const [, gapStart, gapEnd, tailLength] = byteRange
  const span = signature.contentsSpan
  if (!span || signature.contentsForm !== 'hexadecimal')
    return {
      ...unclear(
        'La firma no está donde debe estar en el archivo, como en un ataque de envoltura (signature wrapping).',
      ),
      byteRange,
    }
  if (span.start !== gapStart || span.end !== gapEnd)
    return {
      ...unclear(
        'El intervalo firmado deja fuera algo más que la propia firma, como en un ataque de envoltura (signature wrapping).',
      ),
      byteRange,
    }
  if (!isPlainHexadecimal(document.source, { start: span.start + 1, end: span.end - 1 }))
    return {
      ...unclear(
        'Dentro de la firma hay bytes que no son suyos, como en un ataque de envoltura (signature wrapping).',
      ),
      byteRange,
    }
  return { ...coverageUpTo(gapEnd + tailLength, document), byteRange }
}

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
  if (isRebuilt || revision < 0)
    return unclear(
      'Lo firmado no termina donde termina una revisión del archivo, como en un ataque de envoltura (signature wrapping).',
    )
  return { coverage: 'ENTIRE_REVISION', revision }
}

function readByteRange(
  values: SignatureDictionary['byteRange'],
  fileLength: number,
): ByteRange | undefined {
  if (values?.length !== 4) return undefined
  const [start, gapStart, gapEnd, tail] = values
  const isCount = (value: unknown): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  if (!isCount(start) || !isCount(gapStart) || !isCount(gapEnd) || !isCount(tail)) return undefined
  const isOrdered = start === 0 && gapStart < gapEnd && gapEnd + tail <= fileLength
  return isOrdered ? [start, gapStart, gapEnd, tail] : undefined
}

const unclear = (reason: string): CoverageFacts => ({ coverage: 'UNCLEAR', reason })
