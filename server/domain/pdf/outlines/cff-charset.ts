import type { Spend } from './bounds.ts'
import { type CffIndex, viewOf } from './cff-file.ts'

type Charset = {
  readonly file: Uint8Array
  /** Where the list of names is; 0 to 2 are lists that every reader has. */
  readonly start: number
  /** Of the names that are not standard. */
  readonly strings: CffIndex
  /** Of the glyphs. */
  readonly count: number
}

/** Of the lists that every reader has, the one of Latin letters: its glyphs are in the order of the standard names. */
const [LATIN, EXPERT, EXPERT_SUBSET] = [0, 1, 2]

/**
 * The glyph of each name.
 *
 * @returns no glyph for a name that several have: readers differ in which they take
 * @throws {RangeError} for names that are not read to their end
 * @see Adobe Technical Note 5176, section 13
 */
export function glyphsByName(charset: Charset, spend: Spend): ReadonlyMap<string, number> {
  const { strings, count } = charset
  spend(count)
  const text = new TextDecoder('latin1')
  const glyphs = new Map<string, number>()
  const repeated = new Set<string>()
  for (const [at, number] of namesOf(charset).entries()) {
    const isStandard = number < FIRST_OTHER
    const name = isStandard ? STANDARD[number] : text.decode(strings.at(number - FIRST_OTHER))
    if (name === undefined) continue
    if (glyphs.has(name)) repeated.add(name)
    glyphs.set(name, at + 1)
  }
  if (glyphs.size > count) throw new RangeError('more names than glyphs')
  for (const name of repeated) glyphs.delete(name)
  return glyphs
}

/** The numbers of the names of all glyphs but the first, which has none. */
function namesOf({ file, start, count }: Charset): number[] {
  if (start === EXPERT || start === EXPERT_SUBSET) return []
  if (start === LATIN) return Array.from({ length: count - 1 }, (_, at) => at + 1)
  const view = viewOf(file)
  const format = view.getUint8(start)
  if (format === 0)
    return Array.from({ length: count - 1 }, (_, at) => view.getUint16(start + 1 + 2 * at))
  if (format > 2) throw new RangeError('an unknown list of names')
  const names: number[] = []
  for (let at = start + 1; names.length < count - 1; at += format === 1 ? 3 : 4) {
    const first = view.getUint16(at)
    const more = format === 1 ? view.getUint8(at + 2) : view.getUint16(at + 2)
    if (names.length + more + 1 > count - 1) throw new RangeError('more names than glyphs')
    for (let next = 0; next <= more; next++) names.push(first + next)
  }
  return names
}

/** The numbers from here on are those of the font's own names. */
const FIRST_OTHER = 391

/** The first standard names, by their number; those after them are of other alphabets and of ornaments. Appendix A. */
const STANDARD = [
  '.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus',
  'comma hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater',
  'question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum',
  'underscore quoteleft a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde',
  'exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft',
  'guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet quotesinglbase',
  'quotedblbase quotedblright guillemotright ellipsis perthousand questiondown grave acute circumflex tilde macron',
  'breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron emdash AE ordfeminine Lslash Oslash OE',
  'ordmasculine ae dotlessi lslash oslash oe germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus',
  'Thorn onequarter divide brokenbar degree thorn threequarters twosuperior registered minus eth multiply',
  'threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis',
  'Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute',
  'Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron aacute acircumflex adieresis agrave aring atilde ccedilla',
  'eacute ecircumflex edieresis egrave iacute icircumflex idieresis igrave ntilde oacute ocircumflex odieresis',
  'ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron',
]
  .join(' ')
  .split(' ')
