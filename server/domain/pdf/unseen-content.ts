import type { PdfDocument } from './document.ts'
import { PdfError } from './error.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isNamed,
  isStream,
  isString,
  type PdfDictionary,
  type PdfObject,
} from './object.ts'
import { decodeText } from './text-string.ts'

/** Content that a picture of the pages does not show, or that other readers may show differently. */
export const UNSEEN_CONTENT = [
  'xfa',
  'javascript',
  'automatic-action',
  'attachments',
  'layers',
] as const
export type UnseenContent = (typeof UNSEEN_CONTENT)[number]

/** Most bytes of the configuration of an XFA form. */
const PACKET_LIMIT = 1 << 20

/**
 * The unseen content of a file, in the order of `UNSEEN_CONTENT`. Looks at every object, because an action or a
 * file may hang on any of them.
 *
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 * @see ISO 32000-2:2020, 7.11.4, 8.11, 12.6 and 12.7.8
 */
export function unseenContentOf(document: PdfDocument): UnseenContent[] {
  const found = new Set<UnseenContent>(inCatalog(document))
  for (const number of document.objectNumbers) {
    if (found.size === UNSEEN_CONTENT.length) break
    const value = document.object(number)?.value
    if (value !== undefined) collect(document, value, found)
  }
  return UNSEEN_CONTENT.filter((kind) => found.has(kind))
}

/**
 * Whether the pages are built by an XFA program: a reader without one shows only a page that asks to wait.
 *
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 * @see ISO 32000-2:2020, table 29, entry NeedsRendering
 */
export function hasDynamicForm(document: PdfDocument): boolean {
  const form = xfaOf(document)
  if (form === null) return false
  return (
    document.resolve(document.catalog.entries.get('NeedsRendering')) === true ||
    requiresRendering(document, form)
  )
}

function inCatalog(document: PdfDocument): UnseenContent[] {
  const get = (key: string) => document.resolve(document.catalog.entries.get(key))
  const names = get('Names')
  const inNames = (key: string) =>
    isDictionary(names) && document.resolve(names.entries.get(key)) !== null
  const opening = get('OpenAction')
  const layers = get('OCProperties')
  return [
    ...(xfaOf(document) === null ? [] : (['xfa'] as const)),
    ...(inNames('JavaScript') ? (['javascript'] as const) : []),
    ...(isDictionary(opening) && !isPlainJump(document, opening)
      ? (['automatic-action'] as const)
      : []),
    ...(inNames('EmbeddedFiles') || get('Collection') !== null ? (['attachments'] as const) : []),
    ...(isDictionary(layers) && hasItems(document.resolve(layers.entries.get('OCGs')))
      ? (['layers'] as const)
      : []),
  ]
}

/** Most programs write one, to open at the first page. */
const isPlainJump = (document: PdfDocument, { entries }: PdfDictionary) =>
  isNamed(document.resolve(entries.get('S')), 'GoTo') && !entries.has('Next')

function collect(document: PdfDocument, value: PdfObject, found: Set<UnseenContent>): void {
  if (isArray(value)) {
    for (const item of value.items) collect(document, item, found)
    return
  }
  if (!isDictionary(value) && !isStream(value)) return
  const entries = entriesOf(value)
  if (entries.has('JS') || isNamed(document.resolve(entries.get('S')), 'JavaScript'))
    found.add('javascript')
  if (hasEntries(document.resolve(entries.get('AA')))) found.add('automatic-action')
  if (isDictionary(document.resolve(entries.get('EF')))) found.add('attachments')
  for (const entry of entries.values()) collect(document, entry, found)
}

const hasItems = (value: PdfObject) => isArray(value) && value.items.length > 0
const hasEntries = (value: PdfObject) => isDictionary(value) && value.entries.size > 0

/** /XFA of the form: a stream or an array of names and streams; null if there is none. */
function xfaOf(document: PdfDocument): PdfObject {
  const form = document.resolve(document.catalog.entries.get('AcroForm'))
  return isDictionary(form) ? document.resolve(form.entries.get('XFA')) : null
}

const REQUIRED = /<dynamicRender>\s*required\s*<\/dynamicRender>/

/** Whether the configuration of the form says so. @see XFA 3.3, "dynamicRender" */
function requiresRendering(document: PdfDocument, form: PdfObject): boolean {
  const packet = isArray(form) ? packetOf(document, form.items, 'config') : form
  if (!isStream(packet)) return false
  try {
    return REQUIRED.test(Buffer.from(document.decoded(packet, PACKET_LIMIT)).toString('latin1'))
  } catch (error) {
    // A configuration is never that large; a damaged one requires nothing.
    if (error instanceof PdfError) return false
    throw error
  }
}

/** The named part of a form that is written as names and streams in turn. */
function packetOf(document: PdfDocument, items: readonly PdfObject[], wanted: string): PdfObject {
  const at = items.findIndex((item, index) => {
    const name = index % 2 === 0 ? document.resolve(item) : null
    return isString(name) && decodeText(name.bytes) === wanted
  })
  return at < 0 ? null : document.resolve(items[at + 1])
}
