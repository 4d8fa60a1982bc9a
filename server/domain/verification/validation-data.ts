import type { Span } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  entriesOf,
  isArray,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'

/** A value of the validation material, and its place in the file. */
export type StoredValue = { der: Uint8Array; place: Span }

export type ValidationData = {
  certificates: StoredValue[]
  /** OCSPResponse elements. */
  ocsp: StoredValue[]
  /** CertificateList elements. */
  crls: StoredValue[]
}

/* Far above what a deed with dozens of signatures keeps. */
const MOST_VALUES = 1000
const MOST_BYTES = 32 << 20

const KINDS = [
  { kind: 'certificates', inStore: 'Certs', inEntry: 'Cert' },
  { kind: 'ocsp', inStore: 'OCSPs', inEntry: 'OCSP' },
  { kind: 'crls', inStore: 'CRLs', inEntry: 'CRL' },
] as const

/**
 * The document security store, with what it keeps for single signatures. Everything in it carries a signature of
 * its own, so it does not matter who stored it. What cannot be read is left out.
 *
 * @see ISO 32000-2:2020, 12.8.4.3; ETSI EN 319 142-1 V1.2.1, 5.4.2
 */
export function readValidationData(document: PdfDocument): ValidationData {
  const data: ValidationData = { certificates: [], ocsp: [], crls: [] }
  let bytesLeft = MOST_BYTES
  for (const { kind, stream } of streamsOf(document)) {
    const der = tryTo(() => document.decoded(stream, bytesLeft))
    if (!der) continue
    bytesLeft -= der.length
    data[kind].push({ der, place: stream.data })
  }
  return data
}

type Kind = (typeof KINDS)[number]['kind']

/** Each stream once, however often it is referred to. */
function streamsOf(document: PdfDocument): { kind: Kind; stream: PdfStream }[] {
  const resolve = (value: PdfObject | undefined) => tryTo(() => document.resolve(value)) ?? null
  const store = entriesOf(resolve(document.catalog.entries.get('DSS')))
  const bySignature = [...entriesOf(resolve(store.get('VRI'))).values()]
    .slice(0, MOST_VALUES)
    .map((entry) => entriesOf(resolve(entry)))
  return KINDS.flatMap(({ kind, inStore, inEntry }) => {
    const lists = [store.get(inStore), ...bySignature.map((entry) => entry.get(inEntry))]
    const values = lists.map(resolve).flatMap((list) => (isArray(list) ? list.items : []))
    const found = new Map<number, PdfStream>()
    for (const value of values.slice(0, 4 * MOST_VALUES)) {
      const stream = resolve(value)
      if (isStream(stream)) found.set(stream.data.start, stream)
    }
    return [...found.values()].slice(0, MOST_VALUES).map((stream) => ({ kind, stream }))
  })
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}
