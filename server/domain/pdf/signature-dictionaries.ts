import type { Span } from '#server/domain/bytes.ts'
import type { PdfDocument } from './document.ts'
import { type FormField, formFields } from './form-fields.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isName,
  isNamed,
  isRef,
  isString,
  type PdfDictionary,
  type PdfObject,
  type PdfRef,
} from './object.ts'
import {
  type FieldLock,
  fieldLockOf,
  type SignatureReference,
  signatureReferences,
} from './signature-permissions.ts'
import { decodeText } from './text-string.ts'

/** A signature dictionary as it stands in the file. @see ISO 32000-2:2020, table 255 */
export type SignatureDictionary = {
  /** Fully qualified names of the fields that carry it; empty when no field of the form leads to it. */
  readonly fieldNames: readonly string[]
  readonly fields: readonly FormField[]
  /** Absent when it is written directly into its field. */
  readonly ref?: PdfRef
  readonly dictionary: PdfDictionary
  readonly filter: string
  readonly subFilter: string
  /** As written, with references followed: four numbers in an honest file; undefined when missing. */
  readonly byteRange: readonly PdfObject[] | undefined
  /** The string with its brackets, in the file; undefined when it lies in an object stream or is missing. */
  readonly contentsSpan: Span | undefined
  /** Undefined when /Contents is missing or no string. */
  readonly contents: Uint8Array | undefined
  readonly contentsForm: 'hexadecimal' | 'literal' | undefined
  /** /Cert: one string or several, the signer's first. */
  readonly certificates: readonly Uint8Array[]
  /** /M as it is written. */
  readonly signingTime: string | undefined
  readonly signerName: string | undefined
  readonly reason: string | undefined
  readonly references: readonly SignatureReference[]
  /** What it locks: by its references, and by what its fields say that signing them locks. */
  readonly locks: readonly FieldLock[]
  /** Keys of it that were written with two values: two readers may see two signatures. */
  readonly repeatedKeys: readonly string[]
}

/** The signature fields of the form, signed or empty, in their order. */
export function signatureFields(document: PdfDocument): FormField[] {
  return formFields(document).filter((field) => field.type === 'Sig')
}

/**
 * Every signature dictionary of the document: first those of the form in the order of its fields, then
 * those that no field leads to. One that two fields share is listed once.
 *
 * @param ofForm its signature fields, where the caller has them
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 */
export function signatureDictionaries(
  document: PdfDocument,
  ofForm: readonly FormField[] = signatureFields(document),
): SignatureDictionary[] {
  const byFields = fieldsByValue(ofForm)
  const reached = new Set(byFields.flatMap(({ value }) => (isRef(value) ? [value.number] : [])))
  const found = byFields.flatMap(({ value, fields }) => factsOf(document, value, fields))
  const stray = document.objectNumbers
    .filter((number) => !reached.has(number) && isSignature(document, number))
    .flatMap((number) => {
      const { generation } = document.object(number)!
      return factsOf(document, { kind: 'ref', number, generation }, [])
    })
  return [...found, ...stray]
}

function fieldsByValue(ofForm: readonly FormField[]): { value: PdfObject; fields: FormField[] }[] {
  const groups = new Map<number | PdfObject, { value: PdfObject; fields: FormField[] }>()
  for (const field of ofForm) {
    const key = isRef(field.value) ? field.value.number : field.value
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.fields.push(field)
    else groups.set(key, { value: field.value, fields: [field] })
  }
  return [...groups.values()]
}

function isSignature(document: PdfDocument, number: number): boolean {
  const value = document.object(number)?.value
  if (!isDictionary(value)) return false
  const type = document.resolve(value.entries.get('Type'))
  if (isNamed(type, 'Sig') || isNamed(type, 'DocTimeStamp'))
    return value.entries.has('Contents') || value.entries.has('ByteRange')
  return value.entries.has('ByteRange') && value.entries.has('Contents')
}

function factsOf(
  document: PdfDocument,
  value: PdfObject,
  fields: readonly FormField[],
): SignatureDictionary[] {
  const dictionary = document.resolve(value)
  if (!isDictionary(dictionary)) return []
  const get = (key: string) => document.resolve(dictionary.entries.get(key))
  const text = (key: string) => {
    const found = get(key)
    return isString(found) ? decodeText(found.bytes) : undefined
  }
  const nameText = (key: string) => {
    const found = get(key)
    return isName(found) ? found.value : ''
  }
  const references = signatureReferences(document, entriesOf(dictionary).get('Reference'))
  const range = get('ByteRange')
  const contents = get('Contents')
  const string = isString(contents) ? contents : undefined
  return [
    {
      fieldNames: fields.map((field) => field.name),
      fields,
      ...(isRef(value) ? { ref: value } : {}),
      dictionary,
      filter: nameText('Filter'),
      subFilter: nameText('SubFilter'),
      byteRange: isArray(range) ? range.items.map(document.resolve) : undefined,
      contentsSpan: string?.span,
      contents: string?.bytes,
      contentsForm: string?.form,
      certificates: stringsOf(document, get('Cert')),
      signingTime: text('M'),
      signerName: text('Name'),
      reason: text('Reason'),
      references,
      locks: [
        ...references.flatMap(lockOf),
        ...fields.flatMap((field) => lockOfField(document, field)),
      ],
      repeatedKeys: dictionary.repeatedKeys ?? [],
    },
  ]
}

const lockOf = (reference: SignatureReference): FieldLock[] =>
  reference.method === 'FieldMDP' ? [reference.lock] : []

const lockOfField = (document: PdfDocument, { dictionary }: FormField): FieldLock[] => {
  const lock = fieldLockOf(document, dictionary)
  return lock ? [lock] : []
}

function stringsOf(document: PdfDocument, value: PdfObject): Uint8Array[] {
  const items = isArray(value) ? value.items.map(document.resolve) : [value]
  return items.filter(isString).map(({ bytes }) => bytes)
}
