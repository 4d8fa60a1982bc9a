import {
  type Box,
  DOTS_PER_INCH,
  type Look,
  picturesIn,
  type Reader,
  type Word,
} from '#tests/oracle/look.ts'
import { fromXml, lookAtAll, printedBy, Refusal } from './programs.ts'

export const MUPDF: Reader = { name: 'MuPDF', look: (files) => lookAtAll(files, look) }

async function look(files: readonly string[]): Promise<Look[]> {
  const [drawn, printed] = await Promise.all([
    draw(['-F', 'pgm', '-c', 'gray', '-r', String(DOTS_PER_INCH)], files),
    draw(['-F', 'stext'], files),
  ])
  const documents = documentsIn(printed.toString('utf8'))
  const pictures = picturesIn(drawn)
  const pages = documents.reduce((sum, { length }) => sum + length, 0)
  if (documents.length !== files.length || pages !== pictures.length || pages === 0)
    throw new Refusal(`mutool drew ${pictures.length} of ${pages} pages`)
  let at = 0
  return documents.map((texts) => ({
    pages: texts.map((text) => ({ words: wordsIn(text), picture: pictures[at++]! })),
  }))
}

/** The pages of each file. mutool names only the first file, and counts the pages of each from 1. */
function documentsIn(printed: string): string[][] {
  const documents: string[][] = []
  for (const page of printed.split('<page ').slice(1)) {
    const last = documents.at(-1)
    if (last && !page.startsWith('id="page1"')) last.push(page)
    else documents.push([page])
  }
  return documents
}

/** For one file, a fault in a page is no refusal: MuPDF shows the rest of it. */
async function draw(args: readonly string[], files: readonly string[]): Promise<Buffer> {
  try {
    return await printedBy('mutool', ['draw', '-q', ...args, '-o', '-', ...files])
  } catch (error) {
    if (error instanceof Refusal && files.length === 1) return error.printed
    throw error
  }
}

const CHARACTER = /<char quad="([^"]*)"[^>]* c="([^"]*)"/g

/** The characters of each line, in words. MuPDF puts letters of a later look on the line of a field beside it. */
function wordsIn(page: string): Word[] {
  return page.split('<line ').flatMap((line) => {
    const words: Word[] = []
    let isOpen = false
    for (const [, quad = '', character = ''] of line.matchAll(CHARACTER)) {
      const text = fromXml(character)
      const last = words.at(-1)
      const box = boxOf(quad)
      if (text.trim() === '') isOpen = false
      else if (isOpen && last?.place && isOneSize(last.place, box)) {
        last.text += text
        last.place = around(last.place, box)
      } else {
        words.push({ text, place: box })
        isOpen = true
      }
    }
    return words
  })
}

/** Letters of a word are as high as each other. */
const isOneSize = (one: Box, other: Box) => {
  const [low, high] = [heightOf(one), heightOf(other)].toSorted((a, b) => a - b)
  return high! <= 2 * low!
}
const heightOf = ({ top, bottom }: Box) => bottom - top

/** Of four corners. */
function boxOf(quad: string): Box {
  const numbers = quad.split(' ').map(Number)
  const [across, down] = [0, 1].map((odd) => numbers.filter((_, at) => at % 2 === odd))
  return {
    left: Math.min(...across!),
    top: Math.min(...down!),
    right: Math.max(...across!),
    bottom: Math.max(...down!),
  }
}

const around = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
})
