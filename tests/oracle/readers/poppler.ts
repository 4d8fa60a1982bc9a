import { DOTS_PER_INCH, type Look, picturesIn, type Reader, type Word } from '#tests/oracle/look.ts'
import { fromXml, printedByEach, Refusal } from './programs.ts'

export const POPPLER: Reader = { name: 'Poppler', look }

const PICTURES = [
  'pdftoppm',
  '-q',
  '-gray',
  '-cropbox',
  '-r',
  String(DOTS_PER_INCH),
  'FILE',
] as const
const WORDS = ['pdftotext', '-q', '-bbox', '-cropbox', 'FILE', '-'] as const

async function look(files: readonly string[]): Promise<Look[]> {
  const [drawn, printed] = await Promise.all([
    printedByEach(PICTURES, files),
    printedByEach(WORDS, files),
  ])
  return files.map((_, at) => lookOf(drawn[at]!, printed[at]!))
}

function lookOf(drawn: Buffer | Refusal, printed: Buffer | Refusal): Look {
  if (drawn instanceof Refusal) return { refusal: drawn.message }
  if (printed instanceof Refusal) return { refusal: printed.message }
  const pages = printed.toString('utf8').split('<page ').slice(1)
  return {
    pages: picturesIn(drawn).map((picture, at) => ({ picture, words: wordsIn(pages[at] ?? '') })),
  }
}

const WORD = /<word xMin="([^"]*)" yMin="([^"]*)" xMax="([^"]*)" yMax="([^"]*)">([^<]*)</g

const wordsIn = (page: string): Word[] =>
  [...page.matchAll(WORD)].map(([, left, top, right, bottom, text = '']) => ({
    text: fromXml(text),
    place: {
      left: Number(left),
      top: Number(top),
      right: Number(right),
      bottom: Number(bottom),
    },
  }))
