import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import type { FormField } from '#server/domain/pdf/form-fields.ts'
import type { IndirectObject } from '#server/domain/pdf/object.ts'
import { isDictionary, isRef } from '#server/domain/pdf/object.ts'
import {
  type SignatureDictionary,
  signatureDictionaries,
  signatureFields,
} from '#server/domain/pdf/signature-dictionaries.ts'
import { type Certification, certificationsOf } from './certification.ts'
import { type CoverageFacts, judgeCoverage } from './coverage.ts'
import { type ReadContent, readSignatureContent } from './signature-content.ts'

/** A signature as it was found, before any byte of the range was digested. */
export type FoundSignature = {
  dictionary: SignatureDictionary
  coverage: CoverageFacts
  content: ReadContent
  /** Undefined while the document is not certified. */
  certification: Certification | undefined
}

/**
 * The signatures of a file, those that no field leads to included.
 *
 * @returns `isHidden` when a part of the file in which signatures could stand cannot be read
 */
export function findSignatures(document: PdfDocument): {
  signatures: FoundSignature[]
  isHidden: boolean
} {
  try {
    const fields = signatureFields(document)
    const dictionaries = signatureDictionaries(document, fields).filter((one) => !isUsageRight(one))
    const read = dictionaries.map((dictionary) => ({
      dictionary,
      coverage: judgeCoverage(document, dictionary),
      content: readSignatureContent(dictionary),
    }))
    const certifications = certificationsOf(read, (one) => isSignature(one) && isClear(one))
    const signatures = read.map((one, at) => ({ ...one, certification: certifications[at] }))
    return { signatures, isHidden: fields.some(isUnreadable(document)) }
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
    const object = document.object(value.number)
    return object?.value !== null || !isWrittenNull(document, object)
  }

/** A word that means nothing is read as null, too: a signature may have stood behind it. */
function isWrittenNull({ source }: PdfDocument, { span }: IndirectObject): boolean {
  if (!span) return true
  const text = Buffer.from(source.read(span.start, span.end)).toString('latin1')
  return /obj[\0\s]*(?:null[\0\s]*)?(?:endobj)?$/.test(text)
}

/**
 * A usage rights signature: an old editor wrote it so that its reader may save the form. It signs for no person.
 *
 * @see ISO 32000-1:2008, 12.8.2.3
 */
const isUsageRight = ({ fieldNames, references }: SignatureDictionary) =>
  fieldNames.length === 0 &&
  references.some(
    ({ method, ...rest }) => method === 'other' && 'name' in rest && /^UR3?$/.test(rest.name),
  )

/** Fields that wait for a signature, and timestamps, sign nothing. */
export const isSignature = ({
  dictionary,
  content,
}: Pick<FoundSignature, 'dictionary' | 'content'>) =>
  content.kind !== 'empty' && dictionary.subFilter !== 'ETSI.RFC3161'

const isClear = ({ coverage }: Pick<FoundSignature, 'coverage'>) => coverage.coverage !== 'UNCLEAR'
