import { DOTS_PER_INCH, type Look, picturesIn, type Reader, type Word } from '#tests/oracle/look.ts'
import { fromXml, printedBy, Refusal } from './programs.ts'

/** Its programs take one file each. */
export const POPPLER: Reader = {
  name: 'Poppler',
  look: async (files) => {
    const looks: Look[] = []
    for (const file of files) looks.push(await lookAt(file))
    return looks
  },
}

async function lookAt(file: string): Promise<Look> {
  try {
    const [drawn, printed] = await Promise.all([
      printedBy('pdftoppm', ['-q', '-gray', '-cropbox', '-r', String(DOTS_PER_INCH), file]),
      printedBy('pdftotext', ['-q', '-bbox', '-cropbox', file, '-']),
    ])
    const pages = printed.toString('utf8').split('<page ').slice(1)
    return {
      pages: picturesIn(drawn).map((picture, at) => ({
        picture,
        words: wordsIn(pages[at] ?? ''),
      })),
    }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message }
    throw error
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
