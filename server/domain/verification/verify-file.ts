import { type ByteSource, chunksOf, concatBytes, toHex } from '../bytes.ts'
import { type PdfDocument, readDocument } from '../pdf/document.ts'
import { PdfError } from '../pdf/error.ts'
import type { FormField } from '../pdf/form-fields.ts'
import { isDictionary, isRef } from '../pdf/object.ts'
import { pagesOf } from '../pdf/pages.ts'
import {
  type SignatureDictionary,
  signatureDictionaries,
  signatureFields,
} from '../pdf/signature-dictionaries.ts'
import { changesAfter } from './changes/changes-after.ts'
import { isVisible } from './changes/signature-field-rule.ts'
import { type CoverageFacts, judgeCoverage } from './coverage.ts'
import { type DigestRequest, digestRanges, type FileDigests } from './digests.ts'
import { ambiguitiesOf, warningsOf } from './file-warnings.ts'
import { judgeSignature, type SignatureEvidence } from './judge-signature.ts'
import type { VerificationPolicy } from './judge-trust.ts'
import type { Change, VerificationReport } from './report.ts'
import { type Loss, sentenceOf } from './sentences.ts'
import { type ReadContent, readSignatureContent } from './signature-content.ts'
import { mayHaveLostSignatures } from './traces-of-signatures.ts'
import { trueUnlessReadable } from './true-unless-readable.ts'
import { verdictOf } from './verdict.ts'

export type { VerificationPolicy } from './judge-trust.ts'

/** A signature without signed attributes needs its bytes whole; larger files than this are not read for it. */
const WHOLE_RANGE_LIMIT = 64 * 1024 * 1024

/** A signature as it was found, before any byte of the range was digested. */
type Found = { dictionary: SignatureDictionary; coverage: CoverageFacts; content: ReadContent }

/**
 * Everything that can be said about the signatures of a file. Any bytes give a report, never an error.
 *
 * @param name how the caller calls the file; it is only repeated
 * @see ETSI EN 319 102-1 V1.3.1; ISO 32000-2:2020, 12.8
 */
export function verifyFile(
  source: ByteSource,
  name: string,
  policy: VerificationPolicy,
): VerificationReport {
  const document = tryToRead(source)
  if (document instanceof PdfError) return unreadable(source, name, document)

  const { signatures: found, isHidden } = findSignatures(document)
  const signatures = withinBudget(found, source.length)
  const digests = digestRanges(source, signatures.flatMap(requestOf))
  const digestOf = matchDigests(signatures, digests)
  const reports = signatures.map((found) =>
    judgeSignature(
      {
        ...found,
        ...rangeOf(source, found, digestOf.get(found)),
        changes: changesIn(document, found),
        doubts: doubtsOf(found),
        oddities: odditiesOf(document, found),
      } satisfies SignatureEvidence,
      policy,
    ),
  )
  const ambiguities = ambiguitiesOf(document, isHidden)
  const hasSignature = signatures.some(isSignature)
  const loss = hasSignature ? undefined : lossOf(document, isHidden)
  const weighed = reports.filter(
    ({ kind }, index) => kind === 'signature' || isSeen(document, signatures[index]!),
  )
  const verdict = verdictOf(hasSignature ? weighed : [], {
    isAmbiguous: ambiguities.length > 0,
    isHidden: isHidden || loss !== undefined,
  })
  return {
    file: name,
    sha256: toHex(digests.whole),
    bytes: source.length,
    pages: countPages(document),
    encrypted: document.isEncrypted,
    verdict,
    sentence: sentenceOf(verdict, reports, loss),
    signatures: reports,
    warnings: [...ambiguities, ...warningsOf(document)],
  }
}

/** Why a file in which no signature is found may still have had some. */
function lossOf(document: PdfDocument, isHidden: boolean): Loss | undefined {
  if (document.isEncrypted) return 'encrypted'
  const isLost = isHidden || trueUnlessReadable(() => mayHaveLostSignatures(document))
  return isLost ? 'damaged' : undefined
}

/** Fields that wait for a signature, and timestamps, sign nothing. */
const isSignature = ({ dictionary, content }: Found) =>
  content.kind !== 'empty' && dictionary.subFilter !== 'ETSI.RFC3161'

/**
 * Whether something of it is drawn on a page. A timestamp signs nothing, and a bad one does not spoil the
 * signatures beside it, unless it shows people something for which nobody else answers.
 */
const isSeen = (document: PdfDocument, { dictionary: { fields } }: Found) =>
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
function unreadable(source: ByteSource, name: string, { code }: PdfError): VerificationReport {
  const verdict = code === 'too-complex' ? 'INDETERMINATE' : 'NOT_A_PDF'
  return {
    file: name,
    sha256: toHex(digestRanges(source, []).whole),
    bytes: source.length,
    pages: 0,
    encrypted: false,
    verdict,
    sentence: sentenceOf(verdict, []),
    signatures: [],
    warnings: verdict === 'INDETERMINATE' ? ['El PDF es demasiado complejo para leerlo.'] : [],
  }
}

/** @returns `isHidden` when a part of the file in which signatures could stand cannot be read */
function findSignatures(document: PdfDocument): { signatures: Found[]; isHidden: boolean } {
  try {
    const dictionaries = signatureDictionaries(document).filter((one) => !isUsageRight(one))
    const signatures = dictionaries.map((dictionary) => ({
      dictionary,
      coverage: judgeCoverage(document, dictionary),
      content: readSignatureContent(dictionary.subFilter, dictionary.contents),
    }))
    return { signatures, isHidden: signatureFields(document).some(isUnreadable(document)) }
  } catch (error) {
    if (error instanceof PdfError) return { signatures: [], isHidden: true }
    throw error
  }
}

/**
 * A field that refers to something which is no signature dictionary, though the file has it. To lead nowhere,
 * or to null, is how an emptied field says that it has no value, but not where a part of the file is lost.
 */
const isUnreadable =
  (document: PdfDocument) =>
  ({ value }: FormField): boolean => {
    if (!isRef(value) || isDictionary(document.resolve(value))) return false
    const isMissing = (document.entry(value.number)?.kind ?? 'free') === 'free'
    if (isMissing) return document.isRebuilt
    return document.object(value.number)?.value !== null
  }

/**
 * What an old editor put into a file so that its reader may save the form: nobody's signature.
 *
 * @see ISO 32000-1:2008, 12.8.2.3
 */
const isUsageRight = ({ fieldNames, references }: SignatureDictionary) =>
  fieldNames.length === 0 &&
  references.some(
    ({ method, ...rest }) => method === 'other' && 'name' in rest && /^UR3?$/.test(rest.name),
  )

/** How much is read for signatures beyond the file itself; of an honest file, each part is read about once. */
const budgetOf = (fileLength: number) => 8 * fileLength + (64 << 20)

/** Signatures that all stand in front and reach to the end would make us read the file again for each. */
function withinBudget(signatures: readonly Found[], fileLength: number): Found[] {
  let left = budgetOf(fileLength)
  return signatures.map((found) => {
    left -= requestOf(found)[0]?.byteRange[3] ?? 0
    if (left >= 0) return found
    const reason = 'El archivo tiene demasiadas firmas para comprobarlas todas.'
    return { ...found, content: { kind: 'unsupported', reason } }
  })
}

function requestOf({ coverage, content }: Found): DigestRequest[] {
  const algorithm = content.kind === 'read' ? content.content.rangeDigest : undefined
  return coverage.byteRange && algorithm ? [{ algorithm, byteRange: coverage.byteRange }] : []
}

function matchDigests(
  signatures: readonly Found[],
  { ranges }: FileDigests,
): Map<Found, Uint8Array> {
  const asked = signatures.filter((found) => requestOf(found).length > 0)
  return new Map(asked.map((found, index) => [found, ranges[index] as Uint8Array]))
}

function rangeOf(
  source: ByteSource,
  { coverage: { byteRange } }: Found,
  rangeDigest: Uint8Array | undefined,
): Pick<SignatureEvidence, 'rangeDigest' | 'rangeBytes'> {
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

/** What later revisions did; a file whose later revisions cannot be read may hold anything. */
function changesIn(document: PdfDocument, { coverage, dictionary }: Found): Change[] {
  const { revision } = coverage
  if (revision === undefined || coverage.coverage === 'ENTIRE_FILE') return []
  if (revision === document.revisions.length - 1) return loosePartsBehind(document, revision)
  try {
    return changesAfter(document, revision, dictionary)
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    return [
      {
        revision: revision + 2,
        level: 'OTHER',
        object: 'trailer',
        sentence: 'Lo que se agregó después de la firma no se puede leer.',
      },
    ]
  }
}

/**
 * Objects behind the end that no cross-reference knows: readers that mend files take them for newer ones
 * (incremental saving attack).
 */
function loosePartsBehind({ source, revisions }: PdfDocument, revision: number): Change[] {
  const start = revisions[revision]!.end
  const tail = source.read(start, Math.min(source.length, start + TAIL_LIMIT))
  if (!/\d[\0\s]+\d+[\0\s]+obj/.test(Buffer.from(tail).toString('latin1'))) return []
  const sentence = 'Después de lo firmado se agregaron objetos que no forman una revisión.'
  return [{ revision: revision + 2, level: 'OTHER', object: 'trailer', sentence }]
}

/** How much behind the end is searched for objects: more than that is a doubt in any case. */
const TAIL_LIMIT = 16 << 20

function doubtsOf({ dictionary, content }: Found): string[] {
  const doubts: string[] = []
  if (dictionary.fieldNames.length === 0)
    doubts.push('La firma no pertenece a ningún campo del formulario del documento.')
  if (dictionary.repeatedKeys.length > 0)
    doubts.push(
      'El diccionario de la firma repite una clave: dos programas podrían leer dos firmas.',
    )
  if (content.kind === 'read' && content.content.signedData.trailing === 'other')
    doubts.push('Detrás de la firma hay datos ajenos a ella.')
  return doubts
}

function odditiesOf(document: PdfDocument, { dictionary, coverage }: Found): string[] {
  const oddities: string[] = []
  if (dictionary.fieldNames.length > 1)
    oddities.push('Varios campos del formulario muestran la misma firma.')
  if (
    coverage.coverage === 'ENTIRE_REVISION' &&
    coverage.revision === document.revisions.length - 1
  )
    oddities.push('El archivo tiene datos después de lo firmado que no forman una revisión.')
  return oddities
}

function countPages(document: PdfDocument): number {
  try {
    return pagesOf(document).length
  } catch (error) {
    if (error instanceof PdfError) return 0
    throw error
  }
}
