import { type ByteSource, toHex } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { isDictionary } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { boundedSignatures } from './bounded-report.ts'
import { isVisible } from './changes/signature-field-rule.ts'
import { type Warning, warning } from './codes/warning.ts'
import { digestRanges } from './digests.ts'
import { ambiguitiesOf, warningsOf } from './file-warnings.ts'
import { type FoundSignature, findSignatures, isSignature } from './find-signatures.ts'
import { headlineOf, type Loss } from './headline.ts'
import { judgeSignature } from './judge-signature.ts'
import { listedSignatures } from './listed-signatures.ts'
import { gatherProofs } from './proofs.ts'
import { readSignatures } from './read-signatures.ts'
import type { ConstanciaReport, VerificationReport } from './report.ts'
import { constanciaOverRevision } from './time/constancia-over-revision.ts'
import { type WeighedConstancia, weighConstancia } from './time/judge-constancia.ts'
import { type FileTimeStamp, judgeTime } from './time/judge-time.ts'
import { mayHaveLostSignatures } from './traces-of-signatures.ts'
import { trueUnlessReadable } from './true-unless-readable.ts'
import { verdictOf } from './verdict.ts'
import type { VerificationPolicy } from './verification-policy.ts'

export type { VerificationPolicy } from './verification-policy.ts'

/**
 * Everything that can be said about the signatures of a file. Any bytes give a report, never an error.
 *
 * @param name how the caller calls the file; it is only repeated
 * @param beside.constancia what was shown with the file as its constancia: a response or a token
 * @see ETSI EN 319 102-1 V1.3.1; ISO 32000-2:2020, 12.8
 */
export function verifyFile(
  source: ByteSource,
  name: string,
  policy: VerificationPolicy,
  beside: { constancia?: Uint8Array | undefined } = {},
): VerificationReport {
  const weigh = (digest: Uint8Array) =>
    beside.constancia && weighConstancia(beside.constancia, digest, policy)
  const document = tryToRead(source)
  if (document instanceof PdfError) return unreadable(source, name, document, weigh)

  const { signatures: found, isHidden } = findSignatures(document)
  const { evidence, whole, isAmbiguous } = readSignatures(document, found)
  const proofs = gatherProofs(document, found)
  const constancia = weigh(whole)
  // One over less than the whole file proves nothing about what came after it, and so nothing about the others.
  const time = judgeTime(evidence, proofs, policy, overAll(source, constancia))
  const reports = evidence.map((one) => judgeSignature(one, time, proofs))
  const ambiguities = ambiguitiesOf(document, { isHidden, isAmbiguous })
  const hasSignature = evidence.some(isSignature)
  const loss = hasSignature ? undefined : lossOf(document, isHidden)
  const weighed = reports.filter(
    ({ kind }, index) => kind === 'signature' || isSeen(document, evidence[index]!),
  )
  const verdict = verdictOf(hasSignature ? weighed : [], {
    isAmbiguous: ambiguities.length > 0,
    isHidden: isHidden || loss !== undefined,
  })
  const listed = listedSignatures(reports)
  const bounded = boundedSignatures(listed)
  return {
    file: name,
    sha256: toHex(whole),
    bytes: source.length,
    pages: countPages(document),
    encrypted: document.isEncrypted,
    verdict,
    headline: headlineOf(verdict, reports, { isAmbiguous: isTwofold(ambiguities), loss }),
    signatures: bounded.signatures,
    ...(constancia && { constancia: overEarlier(document, beside, constancia, policy) }),
    warnings: [
      ...ambiguities,
      ...(listed.length < reports.length
        ? [warning('signatures-left-out', { total: reports.length, listed: listed.length })]
        : []),
      ...bounded.warnings,
      ...warningsOf(document),
    ],
  }
}

/** Whether readers may see different documents, and not only bytes that belong to none. */
const isTwofold = (ambiguities: readonly Warning[]) =>
  ambiguities.some(
    ({ code }) => code === 'cross-reference-damaged' || code === 'written-in-two-ways',
  )

const overAll = (
  { length }: ByteSource,
  constancia: WeighedConstancia | undefined,
): FileTimeStamp | undefined =>
  constancia?.stamp && { ...constancia.stamp, covers: { range: [0, length, length, 0] } }

/** What it says about the whole file, or else about the revision that it is over. */
function overEarlier(
  document: PdfDocument,
  beside: { constancia?: Uint8Array | undefined },
  { report }: WeighedConstancia,
  policy: VerificationPolicy,
): ConstanciaReport {
  if (report.matches || !beside.constancia) return report
  return constanciaOverRevision(document, beside.constancia, policy) ?? report
}

/** Why a file in which no signature is found may still have had some. */
function lossOf(document: PdfDocument, isHidden: boolean): Loss | undefined {
  const isUnreadable = isHidden || document.catalog.entries.size === 0
  const isLost = isUnreadable || trueUnlessReadable(() => mayHaveLostSignatures(document))
  if (!isLost) return undefined
  return document.isLocked ? 'encrypted' : 'damaged'
}

/**
 * Whether the field of a timestamp is visible on a page. An invalid timestamp does not invalidate the signatures
 * beside it, unless it shows content that no signature covers.
 */
const isSeen = (document: PdfDocument, { dictionary: { fields } }: FoundSignature) =>
  trueUnlessReadable(() =>
    fields
      .flatMap((field) => [...field.widgets])
      .map((widget) => document.resolve(widget))
      .some((widget) => isDictionary(widget) && isVisible(document, widget)),
  )

function tryToRead(source: ByteSource): PdfDocument | PdfError {
  try {
    return readDocument(source)
  } catch (error) {
    if (error instanceof PdfError) return error
    throw error
  }
}

/** A file that asks for more work than an honest one may be a PDF; we do not know what it holds. */
function unreadable(
  source: ByteSource,
  name: string,
  { code }: PdfError,
  weigh: (digest: Uint8Array) => WeighedConstancia | undefined,
): VerificationReport {
  const verdict = code === 'too-complex' ? 'INDETERMINATE' : 'NOT_A_PDF'
  const { whole } = digestRanges(source, [])
  const constancia = weigh(whole)
  return {
    file: name,
    sha256: toHex(whole),
    bytes: source.length,
    pages: 0,
    encrypted: false,
    verdict,
    headline: headlineOf(verdict, []),
    signatures: [],
    ...(constancia && { constancia: constancia.report }),
    warnings: verdict === 'INDETERMINATE' ? [warning('too-complex-to-read')] : [],
  }
}

function countPages(document: PdfDocument): number {
  try {
    return pagesOf(document).length
  } catch (error) {
    if (error instanceof PdfError) return 0
    throw error
  }
}
