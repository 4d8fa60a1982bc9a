import { concatBytes, memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { type IncrementalUpdate, incrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import {
  array,
  dictionary,
  isDictionary,
  name,
  type PdfObject,
  type PdfRef,
  reference,
  withEntries,
} from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { addSignatureField, type SignatureFieldPlan } from '#server/domain/pdf/signature-field.ts'
import { fillByteRange } from '#server/domain/pdf/signature-placeholder.ts'
import { changesAfter } from '#server/domain/verification/changes/changes-after.ts'
import { worstLevel } from '#server/domain/verification/modification.ts'
import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'

const read = (bytes: Uint8Array) => readDocument(memorySource(bytes))

/** The file with one more revision. */
export function changed(
  bytes: Uint8Array,
  change: (update: IncrementalUpdate) => void,
): Uint8Array {
  const update = incrementalUpdate(read(bytes))
  change(update)
  return concatBytes(bytes, update.finish().bytes)
}

/** The file with one more signature, whose /Contents stays empty: only the structure is judged here. */
export function signed(
  bytes: Uint8Array,
  plan: Partial<SignatureFieldPlan> = {},
  before: (update: IncrementalUpdate) => void = () => {},
): Uint8Array {
  const document = read(bytes)
  const update = incrementalUpdate(document)
  before(update)
  const { signature } = addSignatureField(update, {
    page: pagesOf(document)[0]!.ref!,
    contentsSize: 20,
    subFilter: 'ETSI.CAdES.detached',
    ...plan,
  })
  return concatBytes(bytes, fillByteRange(update.finish(), signature).bytes)
}

/** The changes after the first signature. */
export function changesIn(file: Uint8Array) {
  const document = read(file)
  // As it stood when it was made: some changes hide it.
  const signature = signatureDictionaries(document.at(1)).find(
    ({ fieldNames }) => fieldNames[0] === 'Firma1',
  )
  const [, , start, length] = signature!.byteRange as number[]
  const revision = document.revisions.findIndex(({ end }) => end === start! + length!)
  return changesAfter(document, revision, signature!).changes
}

export const levelOf = (file: Uint8Array) => worstLevel(changesIn(file))
export const factsOf = (file: Uint8Array) =>
  changesIn(file).map(({ code, parameters }) => [code, parameters])

export const newStream = (data: string, entries: Record<string, PdfObject> = {}) => ({
  kind: 'new-stream' as const,
  dictionary: dictionary(entries),
  data: bytesOf(data),
})

/** A dictionary object with some entries replaced. */
export function edit(
  update: IncrementalUpdate,
  number: number,
  changes: Record<string, PdfObject | undefined>,
): void {
  const value = update.resolve(reference(number))
  if (!isDictionary(value)) throw new TypeError(`object ${number} is no dictionary`)
  update.set(reference(number), withEntries(value, changes))
}

export const appearance = (update: IncrementalUpdate, text: string): PdfRef =>
  update.add(
    newStream(text, { Type: name('XObject'), Subtype: name('Form'), BBox: array([0, 0, 9, 9]) }),
  )
