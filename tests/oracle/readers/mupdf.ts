import { DOTS_PER_INCH, type Look, picturesIn, type Reader, type Word } from '#tests/oracle/look.ts'
import { fromXml, lookAtAll, printedBy, Refusal } from './programs.ts'

export const MUPDF: Reader = { name: 'MuPDF', look: (files) => lookAtAll(files, look) }

async function look(files: readonly string[]): Promise<Look[]> {
  const [drawn, printed] = await Promise.all([
    draw(['-F', 'pgm', '-c', 'gray', '-r', String(DOTS_PER_INCH)], files),
    draw(['-F', 'stext'], files),
  ])
  const documents = printed
    .toString('utf8')
    .split('<document ')
    .slice(1)
    .map((text) => text.split('<page ').slice(1))
  const pictures = picturesIn(drawn)
  const pages = documents.reduce((sum, { length }) => sum + length, 0)
  if (documents.length !== files.length || pages !== pictures.length)
    throw new Refusal(`mutool drew ${pictures.length} of ${pages} pages`)
  let at = 0
  return documents.map((texts) => ({
    pages: texts.map((text) => ({ words: wordsIn(text), picture: pictures[at++]! })),
  }))
}

const draw = (args: readonly string[], files: readonly string[]) =>
  printedBy('mutool', ['draw', '-q', ...args, '-o', '-', ...files])

const CHARACTER = /<char quad="([^"]*)"[^>]* c="([^"]*)"/g

/** The characters of each line, in words. */
function wordsIn(page: string): Word[] {
  return page.split('<line ').flatMap((line) => {
    const words: Word[] = []
    let isOpen = false
    for (const [, quad = '', character = ''] of line.matchAll(CHARACTER)) {
      const text = fromXml(character)
      const last = words.at(-1)
      if (text.trim() === '') isOpen = false
      else if (isOpen && last) last.text += text
      else {
        words.push({ text, place: middleOf(quad) })
        isOpen = true
      }
    }
    return words
  })
}

function middleOf(quad: string): { x: number; y: number } {
  const numbers = quad.split(' ').map(Number)
  const mean = (odd: number) =>
    numbers.filter((_, at) => at % 2 === odd).reduce((sum, number) => sum + number, 0) / 4
  return { x: mean(0), y: mean(1) }
}
