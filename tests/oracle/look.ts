/* What a reader shows of a file. */

/** Of every picture; enough to see a word of 10 points. */
export const DOTS_PER_INCH = 50

/** In points from the upper left corner of the page. */
export type Box = { left: number; top: number; right: number; bottom: number }

/** The place is absent where the reader does not say it. */
export type Word = { text: string; place?: Box }

/** One byte a pixel, 0 is black. */
export type Picture = { width: number; height: number; gray: Uint8Array }

export type ShownPage = { words: readonly Word[]; picture: Picture }

/** The pages, or the reason why the reader shows none. */
export type Look = { pages: readonly ShownPage[] } | { refusal: string }

export type Reader = {
  name: string
  /** @param files paths. @returns a look for each file, in their order */
  look(files: readonly string[]): Promise<Look[]>
}

/** The words of a text without places. */
export const wordsOf = (text: string): Word[] =>
  text.split(/\s+/).flatMap((word) => (word === '' ? [] : [{ text: word }]))

/** The pictures of binary PGM files, one behind the other. @throws {Error} on anything else */
export function picturesIn(bytes: Uint8Array): Picture[] {
  const pictures: Picture[] = []
  for (let at = 0; at < bytes.length; ) {
    const head = HEAD.exec(Buffer.from(bytes.subarray(at, at + LONGEST_HEAD)).toString('latin1'))
    if (!head) throw new Error(`no PGM picture at ${at}`)
    const [width, height] = [Number(head[1]), Number(head[2])]
    const start = at + head[0].length
    at = start + width * height
    if (at > bytes.length) throw new Error('a PGM picture is cut off')
    pictures.push({ width, height, gray: bytes.subarray(start, at) })
  }
  return pictures
}

const LONGEST_HEAD = 200
const HEAD = /^P5\s(?:#.*\n)?(\d+)\s(\d+)\s255\s/

const [RED, GREEN, BLUE] = [0.299, 0.587, 0.114]

/** A picture of four bytes a pixel, on white paper, in gray. */
export function inGray(pixels: Uint8Array | Uint8ClampedArray): Uint8Array {
  const gray = new Uint8Array(pixels.length / 4)
  for (let at = 0, from = 0; at < gray.length; at++, from += 4) {
    const ink = RED * pixels[from]! + GREEN * pixels[from + 1]! + BLUE * pixels[from + 2]!
    gray[at] = 255 + ((ink - 255) * pixels[from + 3]!) / 255
  }
  return gray
}
