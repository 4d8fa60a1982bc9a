import { concatBytes } from '#server/domain/bytes.ts'
import { fromLatin1 } from './characters.ts'

type Glyph = { readonly id: number; readonly advance: number }

/** A font that was read once: what setting lines takes, and its outlines to be embedded. Lengths in units of the em. */
export type TrueTypeFont = {
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  /** Left, bottom, right, top of all its glyphs together. */
  readonly box: readonly [number, number, number, number]
  /** Of all glyphs, by their number. */
  readonly advances: readonly number[]
  /** By code point. */
  readonly glyphs: ReadonlyMap<number, Glyph>
  /** A font file with the outlines of these glyphs alone. Their numbers stay. */
  program(glyphs: Iterable<number>): Uint8Array
  /** The numbers of all glyphs in that file: also those of which others are made. */
  members(glyphs: Iterable<number>): ReadonlySet<number>
}

/** By their tags. */
export type Tables = ReadonlyMap<string, DataView>

/**
 * Reads a font file of ours.
 *
 * @throws {RangeError} for a file that is no TrueType font with a table of Unicode characters
 * @see ISO/IEC 14496-22
 */
export function readTrueType(bytes: Uint8Array): TrueTypeFont {
  const tables = tablesOf(bytes)
  const [head, hhea, metrics] = [
    table(tables, 'head'),
    table(tables, 'hhea'),
    table(tables, 'OS/2'),
  ]
  const advances = advancesOf(tables)
  return {
    unitsPerEm: head.getUint16(18),
    box: [head.getInt16(36), head.getInt16(38), head.getInt16(40), head.getInt16(42)],
    ascent: hhea.getInt16(4),
    descent: hhea.getInt16(6),
    capHeight: metrics.getInt16(88),
    advances,
    glyphs: new Map(
      [...charactersOf(table(tables, 'cmap'))].map(([code, id]) => [
        code,
        { id, advance: advances[id] ?? 0 },
      ]),
    ),
    program: (glyphs) => programOf(tables, new Set([0, ...glyphs])),
    members: (glyphs) => withComponents(new Set([0, ...glyphs]), glyphReader(tables).outline),
  }
}

/** @throws {RangeError} for bytes that are no font file, or two tables of one name: readers differ in which they take */
export function tablesOf(bytes: Uint8Array): Tables {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const tables = Array.from({ length: view.getUint16(4) }, (_, index) => {
    const at = 12 + 16 * index
    const tag = String.fromCharCode(...bytes.subarray(at, at + 4))
    const [offset, length] = [view.getUint32(at + 8), view.getUint32(at + 12)]
    return [tag, new DataView(bytes.buffer, bytes.byteOffset + offset, length)] as const
  })
  const byTag = new Map(tables)
  if (byTag.size !== tables.length) throw new RangeError('the font has two tables of one name')
  return byTag
}

/** @throws {RangeError} for a table that the font lacks */
export function table(tables: Tables, tag: string): DataView {
  const found = tables.get(tag)
  if (!found) throw new RangeError(`the font has no table ${tag}`)
  return found
}

/** Glyphs behind the last one with a width of its own have that width. */
function advancesOf(tables: Tables): number[] {
  const widths = table(tables, 'hmtx')
  const last = table(tables, 'hhea').getUint16(34) - 1
  const count = table(tables, 'maxp').getUint16(4)
  return Array.from({ length: count }, (_, id) => widths.getUint16(4 * Math.min(id, last)))
}

/** By code point, from the subtable of the Basic Multilingual Plane. */
function charactersOf(cmap: DataView): Map<number, number> {
  const places = Array.from({ length: cmap.getUint16(2) }, (_, index) =>
    cmap.getUint32(4 + 8 * index + 4),
  )
  const place = places.find((at) => cmap.getUint16(at) === 4)
  if (place === undefined) throw new RangeError('the font has no table of characters that we read')
  const doubled = cmap.getUint16(place + 6)
  const characters = new Map<number, number>()
  for (let segment = 0; segment < doubled; segment += 2) {
    const [ends, starts] = [place + 14 + segment, place + 16 + doubled + segment]
    const [deltas, offsets] = [starts + doubled, starts + 2 * doubled]
    const offset = cmap.getUint16(offsets)
    for (let code = cmap.getUint16(starts); code <= cmap.getUint16(ends); code++) {
      const found =
        offset === 0 ? code : cmap.getUint16(offsets + offset + 2 * (code - cmap.getUint16(starts)))
      const id = found === 0 ? 0 : (found + cmap.getUint16(deltas)) & 0xffff
      if (id !== 0 && code !== 0xffff) characters.set(code, id)
    }
  }
  return characters
}

/** What a reader takes from the font of a PDF file. @see ISO 32000-2:2020, 9.9.1 */
const EMBEDDED = ['cvt ', 'fpgm', 'head', 'hhea', 'hmtx', 'maxp', 'prep']

function programOf(tables: Tables, wanted: ReadonlySet<number>): Uint8Array {
  const { glyf, loca } = outlinesOf(tables, wanted)
  const head = bytesOf(table(tables, 'head')).slice()
  // The whole file's checksum, which only a font on its own has, and offsets of four bytes.
  head.fill(0, 8, 12)
  head[51] = 1
  const kept = EMBEDDED.filter((tag) => tables.has(tag)).map(
    (tag) => [tag, tag === 'head' ? head : bytesOf(table(tables, tag))] as const,
  )
  return fontFile([...kept, ['glyf', glyf], ['loca', loca]])
}

const bytesOf = (view: DataView) =>
  new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength)

function outlinesOf(tables: Tables, wanted: ReadonlySet<number>) {
  const glyphs = glyphReader(tables)
  const kept = withComponents(wanted, glyphs.outline)
  const loca = new DataView(new ArrayBuffer(4 * (glyphs.count + 1)))
  const outlines: Uint8Array[] = []
  let length = 0
  for (let id = 0; id < glyphs.count; id++) {
    loca.setUint32(4 * id, length)
    if (!kept.has(id)) continue
    const outline = padded(glyphs.outline(id))
    outlines.push(outline)
    length += outline.length
  }
  loca.setUint32(4 * glyphs.count, length)
  return { glyf: concatBytes(...outlines), loca: bytesOf(loca) }
}

/** @throws {RangeError} for a font without outlines of TrueType */
export function glyphReader(tables: Tables) {
  const [loca, glyf] = [table(tables, 'loca'), bytesOf(table(tables, 'glyf'))]
  const isLong = table(tables, 'head').getInt16(50) === 1
  const offset = (id: number) => (isLong ? loca.getUint32(4 * id) : 2 * loca.getUint16(2 * id))
  return {
    count: table(tables, 'maxp').getUint16(4),
    outline(id: number) {
      const [start, end] = [offset(id), offset(id + 1)]
      if (end < start) throw new RangeError('a glyph ends before it starts')
      return glyf.subarray(start, end)
    },
  }
}

/** Letters with accents are made of others, which come along. */
function withComponents(wanted: ReadonlySet<number>, outline: (id: number) => Uint8Array) {
  const kept = new Set(wanted)
  // What is added while the set is walked is walked too.
  for (const id of kept) for (const component of componentsOf(outline(id))) kept.add(component)
  return kept
}

/** Flags of a component. @see ISO/IEC 14496-22, 5.3.3 */
export const [HAS_WORDS, HAS_SCALE, HAS_MORE, HAS_TWO_SCALES, HAS_MATRIX] = [1, 8, 32, 64, 128]

function componentsOf(outline: Uint8Array): number[] {
  const view = new DataView(outline.buffer, outline.byteOffset, outline.length)
  if (outline.length === 0 || view.getInt16(0) >= 0) return []
  const components: number[] = []
  let flags = HAS_MORE
  for (let at = 10; flags & HAS_MORE; ) {
    flags = view.getUint16(at)
    components.push(view.getUint16(at + 2))
    at += 4 + (flags & HAS_WORDS ? 4 : 2)
    if (flags & HAS_SCALE) at += 2
    else if (flags & HAS_TWO_SCALES) at += 4
    else if (flags & HAS_MATRIX) at += 8
  }
  return components
}

/** To a multiple of four bytes. */
function padded(bytes: Uint8Array): Uint8Array {
  const rest = bytes.length % 4
  return rest === 0 ? bytes : concatBytes(bytes, new Uint8Array(4 - rest))
}

function fontFile(unsorted: readonly (readonly [tag: string, bytes: Uint8Array])[]): Uint8Array {
  const tables = unsorted.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const directory = new DataView(new ArrayBuffer(12 + 16 * tables.length))
  const power = 2 ** Math.floor(Math.log2(tables.length))
  directory.setUint32(0, 0x00010000)
  directory.setUint16(4, tables.length)
  directory.setUint16(6, 16 * power)
  directory.setUint16(8, Math.log2(power))
  directory.setUint16(10, 16 * (tables.length - power))
  let offset = directory.byteLength
  tables.forEach(([tag, bytes], index) => {
    const at = 12 + 16 * index
    bytesOf(directory).set(fromLatin1(tag), at)
    directory.setUint32(at + 4, checksumOf(padded(bytes)))
    directory.setUint32(at + 8, offset)
    directory.setUint32(at + 12, bytes.length)
    offset += padded(bytes).length
  })
  return concatBytes(bytesOf(directory), ...tables.map(([, bytes]) => padded(bytes)))
}

function checksumOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0
  return sum
}
