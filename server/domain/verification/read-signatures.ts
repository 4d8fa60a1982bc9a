import { type ByteSource, chunksOf, concatBytes } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { type ChangesAfterSignature, changesAfterSignature } from './changes-after-signature.ts'
import { type Warning, warning } from './codes/warning.ts'
import { type DigestRequest, digestRanges, type FileDigests } from './digests.ts'
import type { FoundSignature } from './find-signatures.ts'
import type { Change } from './report.ts'
import {
  contradictingChanges,
  doubtsAbout,
  isReadInTwoWays,
  type Strictness,
  strictnessOf,
} from './strict-after.ts'
import { trueUnlessReadable } from './true-unless-readable.ts'

/** All that was read about one signature before it is judged. */
export type ReadSignature = FoundSignature & {
  /** Of the byte range, by the algorithm that the content asks for; absent when it cannot be computed. */
  rangeDigest?: Uint8Array
  /** The bytes of the range, which only a signature without signed attributes needs. */
  rangeBytes?: () => Uint8Array
  changes: readonly Change[]
  /** The signed revision shows different documents in different readers, so it is unknown which one was signed. */
  isTwofold: boolean
  /** Why two programs might see two signatures, or one of them none. */
  doubts: readonly Warning[]
  /** What is odd about where and how it stands in the file, and harmless. */
  oddities: readonly Warning[]
}

/**
 * What is known about each of the signatures found, in their order, for which the file is read once.
 *
 * @returns `whole`: SHA-256 of the file; `isAmbiguous`: programs may see two documents in it
 */
export function readSignatures(
  document: PdfDocument,
  found: readonly FoundSignature[],
): { evidence: ReadSignature[]; whole: Uint8Array; isAmbiguous: boolean } {
  const { source } = document
  const signatures = withinBudget(found, source.length)
  const digests = digestRanges(source, signatures.flatMap(requestOf))
  const digestOf = matchDigests(signatures, digests)
  const strictness = strictnessOf(document, signatures)
  const evidence = signatures.map((one) => {
    const later = changesAfterSignature(document, one)
    const isTwofold =
      isContradictory(document, one) || isSignedTwofold(document, one, later, strictness)
    return {
      ...one,
      ...rangeOf(source, one, digestOf.get(one)),
      changes: [...later.changes, ...contradictingChanges(document, strictness, one)],
      isTwofold,
      doubts: [...doubtsOf(one, isTwofold), ...doubtsAbout(strictness, one)],
      oddities: odditiesOf(document, one),
    }
  })
  return { evidence, whole: digests.whole, isAmbiguous: strictness.isAmbiguous }
}

/** How much is read for signatures beyond the file itself; of an honest file, each part is read about once. */
const budgetOf = (fileLength: number) => 8 * fileLength + (64 << 20)

/** Signatures that all stand in front and reach to the end would make us read the file again for each. */
function withinBudget(signatures: readonly FoundSignature[], fileLength: number): FoundSignature[] {
  let left = budgetOf(fileLength)
  return signatures.map((found) => {
    left -= requestOf(found)[0]?.byteRange[3] ?? 0
    if (left >= 0) return found
    const reason = warning('too-many-signatures')
    return { ...found, content: { kind: 'unsupported', reason } }
  })
}

function requestOf({ coverage, content }: FoundSignature): DigestRequest[] {
  const algorithm = content.kind === 'read' ? content.content.rangeDigest : undefined
  return coverage.byteRange && algorithm ? [{ algorithm, byteRange: coverage.byteRange }] : []
}

function matchDigests(
  signatures: readonly FoundSignature[],
  { ranges }: FileDigests,
): Map<FoundSignature, Uint8Array> {
  const asked = signatures.filter((found) => requestOf(found).length > 0)
  return new Map(asked.map((found, index) => [found, ranges[index] as Uint8Array]))
}

/** A signature without signed attributes needs its bytes whole; larger files than this are not read for it. */
const WHOLE_RANGE_LIMIT = 64 * 1024 * 1024

function rangeOf(
  source: ByteSource,
  { coverage: { byteRange } }: FoundSignature,
  rangeDigest: Uint8Array | undefined,
): Pick<ReadSignature, 'rangeDigest' | 'rangeBytes'> {
  if (!byteRange || !rangeDigest) return {}
  const [start, length, tail, tailLength] = byteRange
  const isSmall = length + tailLength <= WHOLE_RANGE_LIMIT
  const rangeBytes = () =>
    concatBytes(
      ...chunksOf(source, { start, end: start + length }),
      ...chunksOf(source, { start: tail, end: tail + tailLength }),
    )
  return { rangeDigest, ...(isSmall && { rangeBytes }) }
}

const isSignedTwofold = (
  document: PdfDocument,
  { coverage: { revision } }: FoundSignature,
  { signed }: ChangesAfterSignature,
  strictness: Strictness,
) =>
  signed !== undefined &&
  revision !== undefined &&
  trueUnlessReadable(() => isReadInTwoWays(signed, document, revision, strictness))

/** One of the revisions that were signed contradicts itself. */
const isContradictory = ({ revisions }: PdfDocument, { coverage: { revision } }: FoundSignature) =>
  revision !== undefined &&
  revisions.slice(0, revision + 1).some(({ isContradictory }) => isContradictory)

function doubtsOf({ dictionary, content }: FoundSignature, isTwofold: boolean): Warning[] {
  const doubts: Warning[] = []
  if (isTwofold) doubts.push(warning('signed-in-two-ways'))
  if (dictionary.fieldNames.length === 0) doubts.push(warning('signature-without-field'))
  if (dictionary.repeatedKeys.length > 0) doubts.push(warning('signature-key-repeated'))
  if (content.kind === 'read' && content.content.signedData.trailing === 'other')
    doubts.push(warning('data-after-signature'))
  return doubts
}

function odditiesOf(
  document: PdfDocument,
  { dictionary, coverage, content }: FoundSignature,
): Warning[] {
  const oddities: Warning[] = []
  if (content.kind === 'read' && content.content.signer.areUnsignedAttributesDamaged)
    oddities.push(warning('unsigned-attributes-damaged'))
  if (dictionary.fieldNames.length > 1) oddities.push(warning('signature-in-several-fields'))
  if (
    coverage.coverage === 'ENTIRE_REVISION' &&
    coverage.revision === document.revisions.length - 1
  )
    oddities.push(warning('data-after-signed-bytes'))
  return oddities
}
