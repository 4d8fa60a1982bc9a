import type { PdfDocument } from './document.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isName,
  isString,
  type PdfDictionary,
  type PdfObject,
} from './object.ts'
import { decodeText } from './text-string.ts'

/**
 * 1: no changes; 2: filling forms and signing; 3: also annotations.
 *
 * @see ISO 32000-2:2020, table 257
 */
export type CertificationLevel = 1 | 2 | 3

/** What a signature says about later changes. @see ISO 32000-2:2020, 12.8.2 */
export type SignatureReference =
  | { readonly method: 'DocMDP'; readonly level: CertificationLevel }
  | { readonly method: 'FieldMDP'; readonly lock: FieldLock }
  | { readonly method: 'other'; readonly name: string }

/** The fields that are locked. @see ISO 32000-2:2020, table 236 and table 259 */
export type FieldLock = {
  readonly action: 'All' | 'Include' | 'Exclude'
  readonly fields: readonly string[]
  /** PDF 2.0: the certification level that the lock also sets. */
  readonly level?: CertificationLevel
}

/** The signature references of a /Reference array; nothing for any other value. */
export function signatureReferences(
  document: PdfDocument,
  value: PdfObject | undefined,
): SignatureReference[] {
  const list = document.resolve(value)
  if (!isArray(list)) return []
  return list.items.flatMap((item) => {
    const entries = entriesOf(document.resolve(item))
    const method = document.resolve(entries.get('TransformMethod'))
    const parameters = entriesOf(document.resolve(entries.get('TransformParams')))
    return isName(method) ? [referenceOf(document, method.value, parameters)] : []
  })
}

function referenceOf(
  document: PdfDocument,
  method: string,
  parameters: ReadonlyMap<string, PdfObject>,
): SignatureReference {
  if (method === 'DocMDP') return { method, level: levelOf(document, parameters.get('P')) ?? 2 }
  const lock = method === 'FieldMDP' ? fieldLock(document, parameters) : undefined
  return lock ? { method: 'FieldMDP', lock } : { method: 'other', name: method }
}

/**
 * The lock that a signature field carries itself, in its /Lock.
 *
 * @see ISO 32000-2:2020, 12.7.5.5
 */
export function fieldLockOf(document: PdfDocument, field: PdfDictionary): FieldLock | undefined {
  const lock = document.resolve(field.entries.get('Lock'))
  return isDictionary(lock) ? fieldLock(document, lock.entries) : undefined
}

function fieldLock(
  document: PdfDocument,
  entries: ReadonlyMap<string, PdfObject>,
): FieldLock | undefined {
  const action = document.resolve(entries.get('Action'))
  const word = isName(action) ? action.value : ''
  if (word !== 'All' && word !== 'Include' && word !== 'Exclude') return undefined
  const list = document.resolve(entries.get('Fields'))
  const strings = isArray(list) ? list.items.map(document.resolve).filter(isString) : []
  const fields = strings.map((string) => decodeText(string.bytes))
  const level = levelOf(document, entries.get('P'))
  return level ? { action: word, fields, level } : { action: word, fields }
}

/**
 * How far the document's certification lets later changes go; undefined when it is not certified.
 *
 * @see ISO 32000-2:2020, 12.8.6
 */
export function certificationLevel(document: PdfDocument): CertificationLevel | undefined {
  const permissions = entriesOf(document.resolve(document.catalog.entries.get('Perms')))
  const signature = entriesOf(document.resolve(permissions.get('DocMDP')))
  const references = signatureReferences(document, signature.get('Reference'))
  return references.find((reference) => reference.method === 'DocMDP')?.level
}

/** Whether the field is locked: an existing field must not change, a new one must not be added. */
export function isLocked({ action, fields }: FieldLock, name: string): boolean {
  const isListed = fields.some((field) => name === field || name.startsWith(`${field}.`))
  return action === 'All' || (action === 'Include' ? isListed : !isListed)
}

function levelOf(
  document: PdfDocument,
  value: PdfObject | undefined,
): CertificationLevel | undefined {
  const level = document.resolve(value)
  return level === 1 || level === 2 || level === 3 ? level : undefined
}
