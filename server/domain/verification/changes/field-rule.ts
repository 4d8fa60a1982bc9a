import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { type FormField, formFields } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isName,
  isNamed,
  isString,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { type FieldLock, isLocked } from '#server/domain/pdf/signature-permissions.ts'
import { decodeText } from '#server/domain/pdf/text-string.ts'
import { foreignText } from '#server/domain/text/shown-text.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import type { Comparison } from './comparison.ts'
import { writesOverLetters } from './cover/letters-below.ts'
import { withCover } from './cover/signature-cover.ts'
import { isPlainDefault } from './default-appearance.ts'
import { exclusiveObjects } from './exclusive-objects.ts'
import { FLAGS } from './field-flags.ts'
import { hasSharedAppearance, objectsOf, openValues } from './filled-appearance.ts'
import { isRichTextSame, showsItsValue } from './filled-look.ts'
import { type Finding, type Judgement, knownAs, other } from './finding.ts'
import { hasArea, isVisible, kindOf } from './signature-field-rule.ts'
import { type WidgetPlaces, widgetPlaces } from './widget-places.ts'
import { hasSameStyle } from './widget-style.ts'

/** The keys of a field and its widget that filling in changes. */
const FILLED_KEYS = new Set(['V', 'AP', 'AS', 'M', 'RV', 'I', 'TI', 'DA'])
/** Signing also settles how the widget prints. */
const SIGNED_KEYS = new Set([...FILLED_KEYS, 'F', 'MK', 'P', 'Type', 'NM'])

/**
 * A field may be filled in: its value changes, and with it how it looks. A field that looks different with
 * the value that it had, one whose appearance something else uses, and one that the signature locked, may
 * not.
 *
 * @param locks what the signature locked
 * @see ISO 32000-2:2020, 12.7.4 and 12.8.2.4
 */
export function judgeFields(comparison: Comparison, locks: readonly FieldLock[]): Judgement {
  const now = new Map(formFields(comparison.after).map((field) => [field.ref?.number, field]))
  const findings: Finding[] = []
  const judged = new Set<number>()
  let places: WidgetPlaces | undefined
  const hasOpenChanges = [...comparison.changed].some((number) => !comparison.isShared(number))
  for (const field of formFields(comparison.before)) {
    const touched = touchedObjects(comparison, field, hasOpenChanges)
    if (touched.length === 0) continue
    places ??= widgetPlaces(comparison.before)
    const filled = { field, now: now.get(field.ref?.number), object: touched[0]!, places }
    const isOnlyLocked = touched.length === 1 && isMadeReadOnly(comparison, filled)
    const finding = isOnlyLocked ? undefined : judgeField(comparison, filled, locks)
    if (finding) findings.push(finding, ...writtenOver(comparison, filled))
    else if (!isOnlyLocked) continue
    for (const number of touched) judged.add(number)
  }
  return { findings, judged }
}

/**
 * What changed of the field, and what changed of its own value and appearance.
 *
 * @param hasOpenChanges whether any changed object belongs to such values at all
 */
function touchedObjects(
  comparison: Comparison,
  field: FormField,
  hasOpenChanges: boolean,
): number[] {
  const { changed } = comparison
  const own = objectsOf(field).filter((number) => changed.has(number))
  if (!hasOpenChanges) return own
  const below = exclusiveObjects(comparison, (document) => openValues(document, field))
  return [...own, ...[...below].filter((number) => changed.has(number))]
}

/** A field of the signed document, with what became of it. */
type Filling = { readonly field: FormField; readonly now: FormField | undefined }
type FilledField = Filling & {
  /** The first of its objects that changed. */
  readonly object: number
  readonly places: WidgetPlaces
}

/** A later signature locks it: programs then make it read-only, which is said with the signature. */
function isLockedLater(comparison: Comparison, { field, now }: Filling): boolean {
  const isReadOnly = (field.flags & FLAGS.readOnly) !== 0
  return (
    !isReadOnly &&
    now?.flags === (field.flags | FLAGS.readOnly) &&
    comparison.once(laterLocks).some((lock) => isLocked(lock, field.name))
  )
}

const laterLocks = ({ after, reachBefore }: Comparison): readonly FieldLock[] =>
  signatureDictionaries(after)
    .filter(({ ref }) => ref && !reachBefore.roles.has(ref.number))
    .flatMap((signature) => signature.locks)

/**
 * Nothing of it changed but that. Some readers show the value of a field that can be filled in, and the look of one that
 * cannot: both must say the same.
 */
function isMadeReadOnly(comparison: Comparison, filled: FilledField): boolean {
  const { before, after, isSame } = comparison
  const { field, now, object, places } = filled
  if (!now || object !== field.ref?.number || !isLockedLater(comparison, filled)) return false
  const [old, entries] = [before, after].map((one) => entriesOf(one.object(object)?.value))
  const isKept = [...new Set([...old!.keys(), ...entries!.keys()])].every(
    (key) => key === 'Ff' || isSame(old!.get(key), entries!.get(key)),
  )
  const hasValue = FILLED_TYPES.has(field.type) && !isPushButton(field)
  return (
    isKept &&
    isNothingElse(comparison, object) &&
    (!hasValue || (isWholeValue(comparison, now) && showsItsValue(comparison, now, places)))
  )
}

/** Undefined when more changed than filling in does: then each object speaks for itself. */
function judgeField(
  comparison: Comparison,
  { field, now, object, places }: FilledField,
  locks: readonly FieldLock[],
): Finding | undefined {
  const { before, after, isSame } = comparison
  const isSignature = field.type === 'Sig'
  const keys = isSignature ? SIGNED_KEYS : FILLED_KEYS
  const objects = objectsOf(field)
  const isFilled = (number: number) =>
    isNothingElse(comparison, number) &&
    isOnlyFilled(comparison, number, {
      keys,
      mayBeReadOnly: number === field.ref?.number && isLockedLater(comparison, { field, now }),
    })
  if (!now || !objects.every(isFilled)) return undefined
  const named = { field: field.name }
  const page = field.widgets.map(({ number }) => places.pageOf(number)).find(Boolean)
  if (isSameText(before.resolve(field.value), after.resolve(now.value), isSame))
    return knownAs('shadow-replace', other(object, changeFact('field-look-changed', named), page))
  if (hasSharedAppearance(comparison, field))
    return knownAs('sneaky-sharing', other(object, changeFact('field-look-shared', named), page))
  if (locks.some((lock) => isLocked(lock, field.name)))
    return {
      ...other(object, changeFact('locked-field-filled', named), page),
      breaksLock: true,
    }
  if (isSignature) return signedField(comparison, field, object)
  if (!isForPeople(field, locks))
    return other(object, changeFact('field-not-fillable', named), page)
  if (!isWholeValue(comparison, now) || !showsItsValue(comparison, now, places))
    return knownAs(
      'shadow-replace',
      other(object, changeFact('field-shows-other-value', named), page),
    )
  return {
    level: 'FORM_FILLING',
    object,
    ...(page === undefined ? {} : { page }),
    ...changeFact('field-filled', {
      ...named,
      value: foreignText(valueText(after, now), LONGEST_VALUE),
    }),
  }
}

/** Of a text, a choice, a box, or the look of a signature field that was empty. */
function writtenOver(
  comparison: Comparison,
  { field, now, object, places }: FilledField,
): readonly Finding[] {
  if (!now || !CHANGED_TYPES.has(field.type)) return []
  const pages = comparison.before.once(pagesOf)
  for (const { number } of field.widgets)
    for (const page of places.pagesOf(number)) {
      if (!writesOverLetters(comparison, { number, field: now }, pages[page - 1]!)) continue
      const fact = changeFact('field-writes-over-content', { field: field.name, page })
      return [{ level: 'FORM_FILLING', object, page, ...fact }]
    }
  return []
}

/** No longer than a person reads. */
const LONGEST_VALUE = 200

/** A password is not repeated. */
function valueText(document: PdfDocument, { value, flags, type }: FormField): string {
  if (type === 'Tx' && (flags & FLAGS.password) !== 0) return '•••'
  const written = document.resolve(value)
  const values = isArray(written) ? written.items.map(document.resolve) : [written]
  return values
    .map((one) => (isName(one) ? one.value : wordOf(one)))
    .filter((word) => word !== undefined)
    .join(', ')
}

const FILLED_TYPES = new Set(['Tx', 'Ch', 'Btn'])
const CHANGED_TYPES = new Set([...FILLED_TYPES, 'Sig'])

/** A signature that names the fields that it locks leaves the others to be filled, by programs too. */
function isForPeople(field: FormField, locks: readonly FieldLock[]): boolean {
  const isReadOnly = (field.flags & FLAGS.readOnly) !== 0 && locks.length === 0
  return FILLED_TYPES.has(field.type) && !isPushButton(field) && !isReadOnly
}

const isPushButton = ({ type, flags }: FormField) =>
  type === 'Btn' && (flags & FLAGS.pushButton) !== 0

/** What readers show instead of the value, or choose by number, means the value too. */
function isWholeValue({ after }: Comparison, field: FormField): boolean {
  const { entries } = field.dictionary
  if (entries.has('RV') && !isRichTextSame(after, field, entries.get('RV') ?? null)) return false
  return !entries.has('I') || field.type !== 'Ch' || isChosenByNumber(after, field)
}

/** @see ISO 32000-2:2020, table 234, entry "I" */
function isChosenByNumber(document: PdfDocument, { dictionary, value }: FormField): boolean {
  const numbers = document.resolve(dictionary.entries.get('I'))
  const options = document.resolve(dictionary.entries.get('Opt'))
  if (!isArray(numbers) || !isArray(options)) return numbers === null
  const written = document.resolve(value)
  const values = (isArray(written) ? written.items : written === null ? [] : [written]).map((one) =>
    wordOf(document.resolve(one)),
  )
  const chosen = numbers.items.map(document.resolve).map((number) => {
    const option = document.resolve(typeof number === 'number' ? options.items[number] : null)
    const words = isArray(option) ? option.items.map(document.resolve) : [option]
    return words.map(wordOf)
  })
  return (
    chosen.length === values.length &&
    chosen.every((words) => words.some((word) => word !== undefined && values.includes(word)))
  )
}

/** One text can be written in two encodings: that is no other value. */
function isSameText(old: PdfObject, now: PdfObject, isSame: Comparison['isSame']): boolean {
  if (!isString(old) || !isString(now)) return isSame(old, now)
  return decodeText(old.bytes) === decodeText(now.bytes)
}

/** How fields and widgets are referred to: from the form, pages, their kind, the structure and actions. */
const ROLES = new Set(['Fields', 'Kids', 'Parent', 'Annots', 'Obj', 'CO', 'T'])

/** An object that is a field and something else besides (a layer, another annotation) is judged as that. */
function isNothingElse({ before, reachBefore, reachAfter }: Comparison, number: number): boolean {
  const subtype = before.resolve(entriesOf(before.object(number)?.value).get('Subtype'))
  const roles = [reachBefore, reachAfter].flatMap((reach) => [...(reach.roles.get(number) ?? [])])
  return (subtype === null || isNamed(subtype, 'Widget')) && roles.every((role) => ROLES.has(role))
}

function isOnlyFilled(
  comparison: Comparison,
  number: number,
  { keys, mayBeReadOnly }: { keys: ReadonlySet<string>; mayBeReadOnly: boolean },
): boolean {
  const { before, after, isSame } = comparison
  const old = entriesOf(before.object(number)?.value)
  const now = entriesOf(after.object(number)?.value)
  return [...new Set([...old.keys(), ...now.keys()])].every(
    (key) =>
      isSame(old.get(key), now.get(key)) ||
      (key === 'DA' && keys === FILLED_KEYS
        ? isPlainDefault(comparison, now.get(key))
        : keys.has(key)) ||
      (key === 'BS' && isThin(after, now.get(key))) ||
      (key === 'MK' && hasSameStyle(comparison, old.get(key), now.get(key))) ||
      (key === 'Rect' && keys === SIGNED_KEYS && staysUnseen({ before, after }, number)) ||
      // It restricts what comes after the signature, and nothing before.
      (key === 'Lock' && keys === SIGNED_KEYS && !old.has(key)) ||
      (key === 'TU' && !old.has(key) && isEmptyText(after, now.get(key))) ||
      (key === 'Ff' && !old.has(key) && !old.has('Parent') && after.resolve(now.get(key)) === 0) ||
      (key === 'Ff' && mayBeReadOnly) ||
      (key === 'Opt' && hasSameOptions(comparison, old.get(key), now.get(key))),
  )
}

/** In points: no wider than a line. */
const WIDEST_BORDER = 3

/** A field that showed nothing while it was empty may lose its rectangle when it is signed without an appearance. */
function staysUnseen({ before, after }: Pick<Comparison, 'before' | 'after'>, number: number) {
  const [old, now] = [before, after].map((document) => document.object(number)?.value)
  return isDictionary(old) && isDictionary(now) && !isVisible(before, old) && !hasArea(after, now)
}

/** Some programs write the border down anew with every value, and that there is no description. */
function isThin(document: PdfDocument, border: PdfObject | undefined): boolean {
  const width = document.resolve(entriesOf(document.resolve(border)).get('W')) ?? 1
  return typeof width === 'number' && width <= WIDEST_BORDER
}

/** The options of a choice, whatever the encoding in which a program writes them anew; undefined for what are none. */
function optionsIn(document: PdfDocument, written: PdfObject | undefined): string | undefined {
  const options = document.resolve(written)
  if (!isArray(options)) return undefined
  const words = options.items
    .map(document.resolve)
    .map((option) =>
      isArray(option) ? option.items.map(document.resolve).map(wordOf) : wordOf(option),
    )
  return words.flat().includes(undefined) ? undefined : JSON.stringify(words)
}

function hasSameOptions(
  { before, after }: Comparison,
  old: PdfObject | undefined,
  now: PdfObject | undefined,
): boolean {
  const options = optionsIn(before, old)
  return options !== undefined && options === optionsIn(after, now)
}

const wordOf = (value: PdfObject) => (isString(value) ? decodeText(value.bytes) : undefined)

function isEmptyText(document: PdfDocument, written: PdfObject | undefined): boolean {
  const text = document.resolve(written)
  return isString(text) && decodeText(text.bytes) === ''
}

/** Undefined when the field held a signature already, or holds something else now. */
function signedField(
  comparison: Comparison,
  field: FormField,
  object: number,
): Finding | undefined {
  const { before, after } = comparison
  const now = after.object(field.ref?.number ?? object)?.value
  const kind = isDictionary(now) ? kindOf(comparison, now) : undefined
  if (before.resolve(field.value) !== null || kind === undefined) return undefined
  const code = kind === 'document-timestamp' ? 'field-timestamped' : 'field-signed'
  return withCover(
    comparison,
    { level: 'FORM_FILLING', object, ...changeFact(code, { field: field.name }) },
    { name: field.name, widgets: field.widgets.map(({ number }) => number) },
  )
}
