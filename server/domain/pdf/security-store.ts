import { createHash } from 'node:crypto'
import type { Instant } from '#server/domain/time.ts'
import { encodeDate } from './date-string.ts'
import type { IncrementalUpdate } from './incremental-update.ts'
import {
  array,
  byteString,
  dictionary,
  entriesOf,
  isArray,
  isDictionary,
  isRef,
  isStream,
  name,
  type PdfDictionary,
  type PdfObject,
  type PdfRef,
  withEntries,
} from './object.ts'

/** The validation material of a file: it lets a later verifier judge the signatures. Every `Uint8Array` is a whole DER element. */
export type ValidationMaterial = {
  readonly certificates: readonly Uint8Array[]
  /** OCSPResponse elements. */
  readonly ocsp: readonly Uint8Array[]
  /** CertificateList elements. */
  readonly crls: readonly Uint8Array[]
}

/** What belongs to one signature. */
export type SignatureMaterial = ValidationMaterial & {
  /** /Contents as it stands in the file, with the zeros behind the signature. */
  readonly contents: Uint8Array
}

const LISTS = [
  { kind: 'certificates', inStore: 'Certs', inEntry: 'Cert' },
  { kind: 'ocsp', inStore: 'OCSPs', inEntry: 'OCSP' },
  { kind: 'crls', inStore: 'CRLs', inEntry: 'CRL' },
] as const

type Kept = Record<(typeof LISTS)[number]['kind'], (der: Uint8Array) => PdfRef>

/**
 * Puts material into the document security store. What an earlier revision keeps stays: its lists and its entries
 * of single signatures grow, and nothing is stored twice.
 *
 * @param at when it was gathered
 * @throws {PdfError} `damaged`, `too-complex`
 * @see ISO 32000-2:2020, 12.8.4.3 and 12.8.4.4; ETSI EN 319 142-1 V1.2.1, 5.4.2
 */
export function extendSecurityStore(
  update: IncrementalUpdate,
  signatures: readonly SignatureMaterial[],
  at: Instant,
): void {
  const catalog = update.catalog()
  const storeValue = catalog.entries.get('DSS')
  const before = entriesOf(update.resolve(storeValue))
  const lists = LISTS.map((list) => growingList(update, before.get(list.inStore)))
  const [certificates, ocsp, crls] = lists as [GrowingList, GrowingList, GrowingList]
  const kept: Kept = { certificates: certificates.keep, ocsp: ocsp.keep, crls: crls.keep }
  const perSignature = new Map(entriesOf(update.resolve(before.get('VRI'))))
  for (const one of signatures) {
    const key = keyOf(one.contents)
    const known = entriesOf(update.resolve(perSignature.get(key)))
    perSignature.set(key, update.add(entryFor(update, one, known, kept, at)))
  }
  const store = dictionary(
    new Map([
      ...before,
      ['Type', name('DSS')],
      ...LISTS.flatMap(({ inStore }, index): [string, PdfObject][] => {
        const items = lists[index]?.items ?? []
        return items.length > 0 ? [[inStore, array(items)]] : []
      }),
      ['VRI', dictionary(perSignature)],
    ]),
  )
  if (isRef(storeValue) && before.size > 0) update.set(storeValue, store)
  else update.setCatalog(withEntries(catalog, { DSS: update.add(store) }))
  announce(update)
}

/**
 * How the store names a signature: SHA-1, which here only finds and proves nothing.
 *
 * @see ISO 32000-2:2020, table 261; ETSI EN 319 142-1 V1.2.1, 5.4.2.2
 */
const keyOf = (contents: Uint8Array): string =>
  createHash('sha1').update(contents).digest('hex').toUpperCase()

type GrowingList = { items: PdfObject[]; keep: (der: Uint8Array) => PdfRef }

/** A list of the store as it stands, whose `keep` leads to the stream with these bytes, old or new. */
function growingList(update: IncrementalUpdate, value: PdfObject | undefined): GrowingList {
  const list = update.resolve(value)
  const items = isArray(list) ? [...list.items] : []
  const known = new Map<string, PdfRef>()
  for (const item of items) {
    const stream = update.resolve(item)
    if (isRef(item) && isStream(stream)) known.set(digestOf(update.document.decoded(stream)), item)
  }
  return {
    items,
    keep(der) {
      const digest = digestOf(der)
      const old = known.get(digest)
      if (old) return old
      const added = update.add({ kind: 'new-stream', dictionary: dictionary({}), data: der })
      known.set(digest, added)
      items.push(added)
      return added
    },
  }
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function entryFor(
  update: IncrementalUpdate,
  material: SignatureMaterial,
  known: ReadonlyMap<string, PdfObject>,
  kept: Kept,
  at: Instant,
): PdfDictionary {
  const entries = new Map(known)
  for (const { kind, inEntry } of LISTS) {
    const list = update.resolve(known.get(inEntry))
    const old = isArray(list) ? list.items : []
    const numbers = new Set(old.flatMap((item) => (isRef(item) ? [item.number] : [])))
    const fresh = material[kind].map(kept[kind]).filter(({ number }) => !numbers.has(number))
    if (old.length + fresh.length > 0) entries.set(inEntry, array([...old, ...fresh]))
  }
  entries.set('TU', byteString(encodeDate(at)))
  return dictionary(entries)
}

/**
 * Readers of PDF 1.7 learn from the catalog that the file uses the extension.
 *
 * @see ISO 32000-2:2020, 7.12; ETSI EN 319 142-1 V1.2.1, 5.6
 */
function announce(update: IncrementalUpdate): void {
  const catalog = update.catalog()
  const value = catalog.entries.get('Extensions')
  const resolved = update.resolve(value)
  const extensions = isDictionary(resolved) ? resolved : dictionary({})
  if (extensions.entries.has('ESIC')) return
  const longer = withEntries(extensions, {
    ESIC: dictionary({ BaseVersion: name('1.7'), ExtensionLevel: 1 }),
  })
  if (isRef(value) && isDictionary(resolved)) update.set(value, longer)
  else update.setCatalog(withEntries(catalog, { Extensions: longer }))
}
