import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { equalBytes } from '#server/domain/bytes.ts'
import { fromLatin1 } from './characters.ts'
import type { PdfDocument } from './document.ts'
import type { ObjectStore } from './new-document.ts'
import {
  array,
  byteString,
  dictionary,
  entriesOf,
  isArray,
  isRef,
  isStream,
  name,
  type PdfObject,
  type PdfRef,
} from './object.ts'
import { type NewStream, serialize } from './serialize.ts'
import type { TrueTypeFont } from './true-type.ts'

/** A font as objects that are the same in every file but for their numbers. Its codes are the numbers of its glyphs. */
export type EmbeddableFont = {
  /** The objects for these numbers, in their order; the first one is the font. */
  objects(refs: FontRefs): FontObjects
  /** Whether a list of its glyphs is the last of the objects. */
  readonly listsGlyphs: boolean
}

type FontRefs = readonly [
  font: PdfRef,
  descendant: PdfRef,
  descriptor: PdfRef,
  program: PdfRef,
  toUnicode: PdfRef,
  glyphList?: PdfRef,
]
type FontObjects = readonly (PdfObject | NewStream)[]

/**
 * A font with the outlines of some characters, which can be read back as text. Compressed once.
 *
 * @param characters code points; those that the font does not have are left out
 * @param listsGlyphs adds /CIDSet, which PDF/A-1 requires of a subset and later standards deprecate
 * @see ISO 32000-2:2020, 9.7.4 and 9.10.3; ISO 19005-1:2005, 6.3.5
 */
export function embeddable(
  font: TrueTypeFont,
  plainName: string,
  characters: Iterable<number>,
  listsGlyphs = false,
): EmbeddableFont {
  const kept = byGlyph(font, characters)
  const program = font.program(kept.keys())
  const fontName = name(`${subsetTag(program)}+${plainName}`)
  const file = deflated(program, { Length1: program.length })
  const toUnicode = deflated(fromLatin1(toUnicodeOf(kept)))
  const widths = array([0, array(font.advances.map(inThousandths(font)))])
  const glyphList = listsGlyphs ? [deflated(bitsOf(font.members(kept.keys())))] : []
  return {
    listsGlyphs,
    objects: ([, descendant, descriptor, programRef, toUnicodeRef, glyphListRef]) => [
      dictionary({
        Type: name('Font'),
        Subtype: name('Type0'),
        BaseFont: fontName,
        Encoding: name('Identity-H'),
        DescendantFonts: array([descendant]),
        ToUnicode: toUnicodeRef,
      }),
      dictionary({
        Type: name('Font'),
        Subtype: name('CIDFontType2'),
        BaseFont: fontName,
        CIDSystemInfo: dictionary({
          Registry: byteString(fromLatin1('Adobe')),
          Ordering: byteString(fromLatin1('Identity')),
          Supplement: 0,
        }),
        CIDToGIDMap: name('Identity'),
        FontDescriptor: descriptor,
        W: widths,
      }),
      descriptorOf(font, fontName, programRef, glyphListRef),
      file,
      toUnicode,
      ...glyphList,
    ],
  }
}

/** Which character each glyph is read back as: of those that share one (a soft hyphen and a hyphen), the first. */
function byGlyph(font: TrueTypeFont, characters: Iterable<number>): ReadonlyMap<number, number> {
  const kept = new Map<number, number>()
  for (const code of characters) {
    const glyph = font.glyphs.get(code)
    if (glyph && !kept.has(glyph.id)) kept.set(glyph.id, code)
  }
  return kept
}

/** Writes the font into a file. */
export function embedFont(store: ObjectStore, font: EmbeddableFont): PdfRef {
  const number = store.allocate
  const always = [number(), number(), number(), number(), number()] as const
  const refs: FontRefs = font.listsGlyphs ? [...always, number()] : always
  font.objects(refs).forEach((object, index) => {
    store.set(refs[index]!, object)
  })
  return refs[0]
}

/**
 * Whether a file has this very font already, to the byte: what a stranger calls by its name may show other letters.
 *
 * @throws {PdfError} `damaged`, `too-complex`
 */
export function isEmbedded(document: PdfDocument, ref: PdfRef, font: EmbeddableFont): boolean {
  const refs = refsOf(document, ref, font.listsGlyphs)
  return (
    refs !== undefined &&
    font.objects(refs).every((object, index) => isSame(document, refs[index]!, object))
  )
}

function refsOf(document: PdfDocument, font: PdfRef, listsGlyphs: boolean): FontRefs | undefined {
  const entries = entriesOf(document.resolve(font))
  const descendants = entries.get('DescendantFonts')
  const descendant = isArray(descendants) ? descendants.items[0] : undefined
  const descriptor = entriesOf(document.resolve(descendant)).get('FontDescriptor')
  const described = entriesOf(document.resolve(descriptor))
  const always = [
    font,
    descendant,
    descriptor,
    described.get('FontFile2'),
    entries.get('ToUnicode'),
  ]
  const refs = listsGlyphs ? [...always, described.get('CIDSet')] : always
  return refs.every(isRef) ? (refs as unknown as FontRefs) : undefined
}

function isSame(document: PdfDocument, ref: PdfRef, object: PdfObject | NewStream): boolean {
  const found = document.resolve(ref)
  if (typeof object !== 'object' || object?.kind !== 'new-stream')
    return !isStream(found) && serialize(found) === serialize(object)
  if (!isStream(found)) return false
  const { dictionary: wanted, data } = object
  const own = new Map(found.dictionary.entries)
  own.delete('Length')
  return serialize(dictionary(own)) === serialize(wanted) && equalBytes(document.raw(found), data)
}

const inThousandths =
  ({ unitsPerEm }: TrueTypeFont) =>
  (units: number) =>
    Math.round((units * 1000) / unitsPerEm)

/** Upright, with letters of the Latin alphabets only. @see ISO 32000-2:2020, table 121 */
const NONSYMBOLIC = 32
/** A required entry that TrueType fonts do not define. */
const STEM_WIDTH = 80

function descriptorOf(
  font: TrueTypeFont,
  fontName: PdfObject,
  program: PdfRef,
  glyphList: PdfRef | undefined,
) {
  const scaled = inThousandths(font)
  return dictionary({
    Type: name('FontDescriptor'),
    FontName: fontName,
    Flags: NONSYMBOLIC,
    FontBBox: array(font.box.map(scaled)),
    ItalicAngle: 0,
    Ascent: scaled(font.ascent),
    Descent: scaled(font.descent),
    CapHeight: scaled(font.capHeight),
    StemV: STEM_WIDTH,
    FontFile2: program,
    ...(glyphList && { CIDSet: glyphList }),
  })
}

const deflated = (data: Uint8Array, entries: Record<string, PdfObject> = {}): NewStream => ({
  kind: 'new-stream',
  dictionary: dictionary({ Filter: name('FlateDecode'), ...entries }),
  data: new Uint8Array(deflateSync(data)),
})

/** One bit a number, the first one in the highest bit. */
function bitsOf(numbers: ReadonlySet<number>): Uint8Array {
  const bits = new Uint8Array(1 + (Math.max(...numbers) >> 3))
  for (const number of numbers) bits[number >> 3]! |= 0x80 >> (number & 7)
  return bits
}

/** Most rows of one block. @see Adobe Technical Note 5014, "beginbfchar" */
const ROWS = 100

function toUnicodeOf(characters: ReadonlyMap<number, number>): string {
  const rows = [...characters].map(([id, code]) => `<${hexadecimal(id)}> <${hexadecimal(code)}>`)
  const blocks = Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, index) => {
    const block = rows.slice(index * ROWS, (index + 1) * ROWS)
    return `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`
  })
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('')}endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}

const hexadecimal = (value: number) => value.toString(16).padStart(4, '0')

/** Six capitals, as a subset font must carry them. @see ISO 32000-2:2020, 9.9.2 */
function subsetTag(program: Uint8Array): string {
  const digest = createHash('sha256').update(program).digest()
  return [...digest.subarray(0, 6)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('')
}
