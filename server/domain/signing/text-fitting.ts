import { type Typeface, widthOf } from './typeface.ts'

export type TextBox = {
  width: number
  lines: number
  /** Font sizes in points: the preferred one, and the smallest that is readable. */
  size: number
  smallest: number
}

export type FittedText = { lines: string[]; size: number }

/**
 * Fits the text into the box: it wraps first, then shrinks, and gets an ellipsis only if it does not fit at the
 * smallest size. Breaks words wider than the box.
 */
export function fitText(text: string, font: Typeface, box: TextBox): FittedText {
  const clean = drawable(text, font)
  for (let size = box.size; size >= box.smallest; size -= 0.5) {
    const lines = wrap(clean, font, size, box.width)
    if (lines.length <= box.lines) return { lines, size }
  }
  const lines = wrap(clean, font, box.smallest, box.width).slice(0, box.lines)
  const last = lines.at(-1) ?? ''
  lines[lines.length - 1] = shorten(last, font, box.smallest, box.width)
  return { lines, size: box.smallest }
}

/**
 * The text in characters that the font has: composed letters, plain spaces, and a question mark for each
 * missing character.
 */
export function drawable(text: string, font: Typeface): string {
  const { glyphs } = font.font
  const plain = text
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{M}]/gu, '')
    .trim()
  return [...plain].map((sign) => (glyphs.has(sign.codePointAt(0)!) ? sign : '?')).join('')
}

function wrap(text: string, font: Typeface, size: number, width: number): string[] {
  const fits = (line: string) => widthOf(line, font, size) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line) lines.push(line)
    line = word
    while (!fits(line)) {
      const head = longestFitting(line, fits)
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return [...lines, line]
}

function longestFitting(word: string, fits: (line: string) => boolean): string {
  let end = 1
  while (end < word.length && fits(word.slice(0, end + 1))) end += 1
  return word.slice(0, end)
}

function shorten(line: string, font: Typeface, size: number, width: number): string {
  let kept = line
  while (kept && widthOf(`${kept}…`, font, size) > width) kept = kept.slice(0, -1)
  return `${kept.trimEnd()}…`
}
