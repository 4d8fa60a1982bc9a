import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { changesAfter } from './changes/changes-after.ts'
import { changeFact } from './codes/change-codes.ts'
import type { FoundSignature } from './find-signatures.ts'
import type { Change } from './report.ts'

/** What later revisions did; a file whose later revisions cannot be read may contain anything. */
export type ChangesAfterSignature = {
  readonly changes: readonly Change[]
  /** The document as it was signed, if it was read. */
  readonly signed?: PdfDocument
}

export function changesAfterSignature(
  document: PdfDocument,
  { coverage, dictionary }: FoundSignature,
): ChangesAfterSignature {
  const { revision } = coverage
  if (revision === undefined || coverage.coverage === 'ENTIRE_FILE') return { changes: [] }
  if (revision === document.revisions.length - 1)
    return { changes: loosePartsAfter(document, revision) }
  try {
    return changesAfter(document, revision, dictionary)
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    const fact = changeFact('later-revisions-unreadable')
    return { changes: [{ revision: revision + 2, level: 'OTHER', object: 'trailer', ...fact }] }
  }
}

/**
 * Objects after the end that no cross-reference knows: readers that mend files take them for newer ones
 * (incremental saving attack).
 */
function loosePartsAfter({ source, revisions }: PdfDocument, revision: number): Change[] {
  const start = revisions[revision]!.end
  const tail = source.read(start, Math.min(source.length, start + TAIL_LIMIT))
  const text = Buffer.from(tail).toString('latin1')
  if (!/\d[\0\s]+\d+[\0\s]+obj/.test(text)) return []
  const change = { revision: revision + 2, level: 'OTHER', object: 'trailer' } as const
  // A download that was cut off ends like that, too: it is called no attack.
  if (!text.includes('%%EOF')) return [{ ...change, ...changeFact('incomplete-revision-added') }]
  return [{ ...change, ...changeFact('loose-objects-added'), attack: 'incremental-saving' }]
}

/** How much after the end is searched for objects: more than that is a doubt in any case. */
const TAIL_LIMIT = 16 << 20
