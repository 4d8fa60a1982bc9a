import type { PdfDocument } from './document.ts'
import { PdfError } from './error.ts'
import { MAX_FIELDS, MAX_TREE_DEPTH } from './limits.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isRef,
  isString,
  type PdfDictionary,
  type PdfObject,
  type PdfRef,
} from './object.ts'
import { decodeText } from './text-string.ts'

/** A terminal field of the interactive form. */
export type FormField = {
  /** Fully qualified: the partial names of its ancestors and its own, joined by points. */
  readonly name: string
  /** Absent for a field that is written directly into its parent, against the rules. */
  readonly ref?: PdfRef
  readonly dictionary: PdfDictionary
  /** Its own or inherited field type, as `Sig` or `Tx`; empty when it has none. */
  readonly type: string
  /** Its own or inherited value, as it is written. */
  readonly value: PdfObject
  /** Where it shows: itself, when field and widget are one dictionary, or its kids. */
  readonly widgets: readonly PdfRef[]
  /** Its own or inherited flags. @see ISO 32000-2:2020, table 227 */
  readonly flags: number
}

type Inherited = { name: string; type: PdfObject; value: PdfObject; flags: PdfObject }

/** The interactive form; undefined when the document has none. */
export function acroFormOf(document: PdfDocument): PdfDictionary | undefined {
  const form = document.resolve(document.catalog.entries.get('AcroForm'))
  return isDictionary(form) ? form : undefined
}

/**
 * All terminal fields, in the order of the form. A field that is listed twice is one field.
 *
 * @throws {PdfError} `too-complex`, `encrypted`
 * @see ISO 32000-2:2020, 12.7.4
 */
export function formFields(document: PdfDocument): readonly FormField[] {
  // Each document is asked several times, and large forms have a hundred thousand fields.
  return document.once(listedFields)
}

function listedFields(document: PdfDocument): readonly FormField[] {
  const fields: FormField[] = []
  const roots = document.resolve(acroFormOf(document)?.entries.get('Fields'))
  const top: Inherited = { name: '', type: null, value: null, flags: null }
  const seen = new Set<number>()
  if (isArray(roots)) for (const root of roots.items) collect(document, root, top, seen, 0, fields)
  return fields
}

function collect(
  document: PdfDocument,
  node: PdfObject,
  above: Inherited,
  seen: Set<number>,
  depth: number,
  fields: FormField[],
): void {
  if (isRef(node)) {
    if (seen.has(node.number)) return
    seen.add(node.number)
  }
  if (depth > MAX_TREE_DEPTH || fields.length > MAX_FIELDS)
    throw new PdfError('too-complex', 'the field tree is too large')
  const dictionary = document.resolve(node)
  if (!isDictionary(dictionary)) return
  const own = inherit(document, dictionary, above)
  const kids = document.resolve(dictionary.entries.get('Kids'))
  const kidRefs = isArray(kids) ? kids.items : []
  // A kid that we have met is a circle, not a subfield.
  const subfields = kidRefs.filter(
    (kid) => !(isRef(kid) && seen.has(kid.number)) && entriesOf(document.resolve(kid)).has('T'),
  )
  if (subfields.length > 0) {
    for (const kid of subfields) collect(document, kid, own, seen, depth + 1, fields)
    return
  }
  const field = {
    name: own.name,
    type: nameOf(document.resolve(own.type)),
    widgets: kidRefs.length > 0 ? kidRefs.filter(isRef) : isRef(node) ? [node] : [],
    flags: numberOf(document.resolve(own.flags)),
  }
  fields.push(
    isRef(node)
      ? new ListedField(document, node, field, above.value)
      : { ...field, dictionary, value: own.value },
  )
}

/** Of a field that was read once and cannot be read again. */
const NOTHING: PdfDictionary = { kind: 'dictionary', entries: new Map() }

/** Looks up its dictionary when it is asked for: all of them together take much memory. */
class ListedField implements FormField {
  readonly name: string
  readonly ref: PdfRef
  readonly type: string
  readonly flags: number
  /** Undefined where field and widget are one dictionary, as in most. */
  readonly #kids: readonly PdfRef[] | undefined
  readonly #document: PdfDocument
  readonly #inherited: PdfObject

  constructor(
    document: PdfDocument,
    ref: PdfRef,
    { name, type, widgets, flags }: Pick<FormField, 'name' | 'type' | 'widgets' | 'flags'>,
    inherited: PdfObject,
  ) {
    this.#document = document
    this.#inherited = inherited
    this.ref = ref
    this.name = name
    this.type = type
    this.#kids = widgets.length === 1 && widgets[0] === ref ? undefined : widgets
    this.flags = flags
  }

  get widgets(): readonly PdfRef[] {
    return this.#kids ?? [this.ref]
  }

  get dictionary(): PdfDictionary {
    const value = this.#document.resolve(this.ref)
    return isDictionary(value) ? value : NOTHING
  }

  get value(): PdfObject {
    return this.dictionary.entries.get('V') ?? this.#inherited
  }
}

function inherit(document: PdfDocument, field: PdfDictionary, above: Inherited): Inherited {
  const partial = document.resolve(field.entries.get('T'))
  const text = isString(partial) ? decodeText(partial.bytes) : undefined
  return {
    name: text === undefined ? above.name : above.name ? `${above.name}.${text}` : text,
    type: field.entries.get('FT') ?? above.type,
    value: field.entries.get('V') ?? above.value,
    flags: field.entries.get('Ff') ?? above.flags,
  }
}

const nameOf = (value: PdfObject) =>
  typeof value === 'object' && value?.kind === 'name' ? value.value : ''

const numberOf = (value: PdfObject) => (typeof value === 'number' ? value : 0)
