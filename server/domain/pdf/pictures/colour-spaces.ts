import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  asCount,
  entriesOf,
  isArray,
  isName,
  isNamed,
  isStream,
  isString,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { decodedOf } from './decoded-data.ts'
import { isPlainProfile } from './plain-profile.ts'

/** A colour space in which small differences of components are small differences of colours. */
export type Space = {
  /** Of components. */
  readonly count: number
  /** The components of each colour, one after the other, for samples that are its numbers. */
  readonly table?: Uint8Array
}

export const PLAIN: Record<'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK', Space> = {
  DeviceGray: { count: 1 },
  DeviceRGB: { count: 3 },
  DeviceCMYK: { count: 4 },
}

export function spaceOf(document: PdfDocument, space: PdfObject): Space | undefined {
  const [family, base, last, table] = partsOf(document, space)
  if (!isNamed(family, 'Indexed')) return withoutTable(document, space)
  const colours = withoutTable(document, base)
  const bytes = isString(table) ? table.bytes : isStream(table) && decodedOf(document, table)
  const size = typeof last === 'number' && colours ? (last + 1) * colours.count : 0
  return colours && bytes && size > 0 && size <= bytes.length
    ? { count: colours.count, table: bytes.subarray(0, size) }
    : undefined
}

function withoutTable(document: PdfDocument, space: PdfObject): Space | undefined {
  const [family, first, alternate, tint] = partsOf(document, space)
  if (isNamed(family, 'ICCBased')) return ofProfile(document, first)
  const isTint = isNamed(family, 'Separation') && isStraight(document, tint)
  if (isTint) return ofDevice(alternate) && PLAIN.DeviceGray
  return ofDevice(family)
}

/** Whether small differences of components are small ones of colours. */
export const isEven = (document: PdfDocument, space: PdfObject) =>
  withoutTable(document, space) !== undefined

const ofDevice = (name: PdfObject): Space | undefined =>
  isName(name) && Object.hasOwn(PLAIN, name.value)
    ? PLAIN[name.value as keyof typeof PLAIN]
    : undefined

type Parts = [family: PdfObject, first: PdfObject, second: PdfObject, third: PdfObject]

function partsOf(document: PdfDocument, space: PdfObject): Parts {
  const items = isArray(space) ? space.items.map(document.resolve) : [space]
  const [family = null, first = null, second = null, third = null] = items
  return [family, first, second, third]
}

function ofProfile(document: PdfDocument, profile: PdfObject): Space | undefined {
  return isStream(profile) ? document.once(spacesOfProfiles)(profile) : undefined
}

/** Each is read once: many instructions may name it. For `once`. */
function spacesOfProfiles(document: PdfDocument) {
  const known = new Map<number, Space | undefined>()
  return (profile: PdfStream): Space | undefined => {
    const { number } = profile.owner
    if (!known.has(number)) known.set(number, spaceOfProfile(document, profile))
    return known.get(number)
  }
}

/** Some readers take the alternate of a profile, and others the profile. @see ISO 32000-2:2020, 8.6.5.5 */
function spaceOfProfile(document: PdfDocument, profile: PdfStream): Space | undefined {
  const { entries } = profile.dictionary
  const count = asCount(document.resolve(entries.get('N')))
  const alternate = document.resolve(entries.get('Alternate'))
  const isUsual = alternate === null || ofDevice(alternate)?.count === count
  const bytes = isUsual && decodedOf(document, profile)
  return count && bytes && isPlainProfile(bytes, count) ? { count } : undefined
}

/** From one colour to another without a bend. @see ISO 32000-2:2020, 7.10.3 */
export function isStraight(document: PdfDocument, tint: PdfObject): boolean {
  const value = (key: string) => document.resolve(entriesOf(tint).get(key))
  const colours = ['C0', 'C1'].flatMap((key) => {
    const written = value(key)
    return isArray(written) ? written.items.map(document.resolve) : []
  })
  return (
    value('FunctionType') === 2 &&
    value('N') === 1 &&
    colours.every((one) => typeof one === 'number' && one >= 0 && one <= 1)
  )
}
