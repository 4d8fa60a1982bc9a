import { fromLatin1, latin1 } from './characters.ts'
import type { PdfDocument } from './document.ts'
import { entriesOf, isArray, isName, isNamed, isStream, type PdfObject } from './object.ts'

/** The text that a string of codes stands for; undefined if a code has no known character. */
export type FontText = (codes: Uint8Array) => string | undefined

/**
 * How strings in this font read, as far as the font says so: by its own table (/ToUnicode) or by its
 * encoding.
 *
 * @see ISO 32000-2:2020, 9.10.2
 */
export function fontTextOf(document: PdfDocument, font: PdfObject | undefined): FontText {
  const entries = entriesOf(document.resolve(font))
  const table = document.resolve(entries.get('ToUnicode'))
  if (isStream(table)) return byTable(latin1(document.decoded(table, MAX_TABLE)))
  if (isNamed(document.resolve(entries.get('Subtype')), 'Type0')) return () => undefined
  const encoding = document.resolve(entries.get('Encoding'))
  const differences = differencesOf(document, entriesOf(encoding).get('Differences'))
  const standard = hasOwnCodes(document, entries, encoding)
    ? () => UNKNOWN
    : standardCodes(document, encoding)
  // Each is decoded once: a text has many letters, and few different ones.
  const known: string[] = []
  const characterOf = (code: number): string => {
    known[code] ??= differences.get(code) ?? standard(code)
    return known[code]
  }
  return (codes) => {
    let text = ''
    for (const code of codes) {
      const character = characterOf(code)
      if (character === UNKNOWN) return undefined
      text += character
    }
    return text
  }
}

/** A font that comes with the file and names no standard encoding numbers its characters as it likes. */
function hasOwnCodes(
  document: PdfDocument,
  font: ReadonlyMap<string, PdfObject>,
  encoding: PdfObject,
): boolean {
  const descriptor = entriesOf(document.resolve(font.get('FontDescriptor')))
  const isEmbedded = ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor.has(key))
  return isEmbedded && !isName(encoding) && !entriesOf(encoding).has('BaseEncoding')
}

const MAX_TABLE = 1 << 20
const UNKNOWN = ''
const WINDOWS = new TextDecoder('windows-1252')
const MACINTOSH = new TextDecoder('macintosh')

/** What the codes stand for beside /Differences. Without a table of these names only the codes of ASCII are sure. */
function standardCodes(document: PdfDocument, encoding: PdfObject): (code: number) => string {
  const base = isName(encoding)
    ? encoding
    : document.resolve(entriesOf(encoding).get('BaseEncoding'))
  const name = isName(base) ? base.value : undefined
  const decoder = name === 'MacRomanEncoding' ? MACINTOSH : WINDOWS
  const isWhole = name === 'MacRomanEncoding' || name === 'WinAnsiEncoding'
  const isKnown = isWhole || name === undefined || name === 'StandardEncoding'
  return (code) => {
    if (!isKnown || (code >= 0x7f && !isWhole)) return UNKNOWN
    // Readers draw the hyphen of this code.
    return code === 0xad && name === 'WinAnsiEncoding' ? '-' : decoder.decode(Uint8Array.of(code))
  }
}

function differencesOf(document: PdfDocument, value: PdfObject | undefined): Map<number, string> {
  const found = new Map<number, string>()
  const list = document.resolve(value)
  let code = 0
  for (const item of isArray(list) ? list.items.map(document.resolve) : []) {
    if (typeof item === 'number') code = item
    else if (isName(item)) found.set(code++, characterNamed(item.value))
  }
  return found
}

const ACCENTS: Record<string, string> = {
  acute: '\u0301',
  grave: '\u0300',
  dieresis: '\u0308',
  tilde: '\u0303',
  circumflex: '\u0302',
  cedilla: '\u0327',
  ring: '\u030a',
}

const NAMED: Record<string, string> = Object.fromEntries(
  (
    'space  |exclam !|quotedbl "|numbersign #|dollar $|percent %|ampersand &|quotesingle \'|parenleft (|' +
    'parenright )|asterisk *|plus +|comma ,|hyphen -|period .|slash /|zero 0|one 1|two 2|three 3|four 4|' +
    'five 5|six 6|seven 7|eight 8|nine 9|colon :|semicolon ;|less <|equal =|greater >|question ?|at @|' +
    'bracketleft [|backslash \\|bracketright ]|underscore _|braceleft {|braceright }|Euro €|bullet •|' +
    'exclamdown ¡|questiondown ¿|ordfeminine ª|ordmasculine º|degree °|endash –|emdash —|quoteleft ‘|' +
    'quoteright ’|quotedblleft “|quotedblright ”|guillemotleft «|guillemotright »|section §|ellipsis …'
  )
    .split('|')
    .map((pair) => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)]),
)

/** @see ISO 32000-2:2020, annex D.2 */
function characterNamed(name: string): string {
  const named = Object.hasOwn(NAMED, name)
    ? NAMED[name]
    : /^[A-Za-z]$/.test(name)
      ? name
      : undefined
  if (named) return named
  const [, letter, accent] = /^([A-Za-z])([a-z]+)$/.exec(name) ?? []
  const mark = ACCENTS[accent ?? '']
  if (letter && mark) return `${letter}${mark}`.normalize('NFC')
  const hex = /^uni([0-9A-F]{4})$/.exec(name)?.[1]
  return hex ? String.fromCharCode(Number.parseInt(hex, 16)) : UNKNOWN
}

/** @see ISO 32000-2:2020, 9.10.3 */
function byTable(text: string): FontText {
  const meanings = new Map<string, string>()
  for (const [, block] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code, meaning] of block!.matchAll(/<([^>]*)>\s*<([^>]*)>/g))
      meanings.set(code!.toLowerCase(), utf16(meaning!))
  for (const [, block] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, first, last, meaning, list] of block!.matchAll(
      /<([^>]*)>\s*<([^>]*)>\s*(?:<([^>]*)>|\[([^\]]*)\])/g,
    ))
      addRange(meanings, first!, last!, meaning, list)
  const width = [...meanings.keys()][0]?.length ?? 2
  return (codes) => {
    const digits = Buffer.from(codes).toString('hex')
    const parts = digits.match(new RegExp(`.{${width}}`, 'g')) ?? []
    const characters = parts.map((part) => meanings.get(part))
    return characters.includes(undefined) ? undefined : characters.join('')
  }
}

function addRange(
  meanings: Map<string, string>,
  first: string,
  last: string,
  meaning: string | undefined,
  list: string | undefined,
): void {
  const start = Number.parseInt(first, 16)
  const count = Math.min(Number.parseInt(last, 16) - start + 1, 65_536)
  const listed = [...(list ?? '').matchAll(/<([^>]*)>/g)].map(([, item]) => utf16(item!))
  for (let at = 0; at < count; at++) {
    const code = (start + at).toString(16).padStart(first.length, '0')
    if (meaning === undefined) meanings.set(code, listed[at] ?? UNKNOWN)
    else {
      const base = utf16(meaning)
      const end = base.charCodeAt(base.length - 1) + at
      meanings.set(code, base.slice(0, -1) + String.fromCharCode(end))
    }
  }
}

const utf16 = (hex: string) =>
  new TextDecoder('utf-16be').decode(
    fromLatin1(Buffer.from(hex.replace(/\s/g, ''), 'hex').toString('latin1')),
  )
