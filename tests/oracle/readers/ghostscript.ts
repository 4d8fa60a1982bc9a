import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DOTS_PER_INCH, type Look, picturesIn, type Reader, wordsOf } from '#tests/oracle/look.ts'
import { inFolder, lookAtAll, printedBy, Refusal } from './programs.ts'

export const GHOSTSCRIPT: Reader = {
  name: 'Ghostscript',
  look: (files) => lookAtAll(files, (some) => inFolder((folder) => look(some, folder))),
}

/** Its words are those of the pages, without notes and fields, for which it gives no place. */
const WORDS = ['-sDEVICE=txtwrite', '-dTextFormat=3', '-dShowAnnots=false', '-dShowAcroForm=false']
const PICTURES = ['-sDEVICE=pgmraw', `-r${DOTS_PER_INCH}`]

async function look(files: readonly string[], folder: string): Promise<Look[]> {
  await Promise.all([run(WORDS, 'txt', files, folder), run(PICTURES, 'pgm', files, folder)])
  const made = readdirSync(folder).toSorted()
  const read = (name: string) => readFileSync(path.join(folder, name))
  const filesOf = (at: number, kind: string) =>
    made.filter((name) => name.startsWith(`${at}-`) && name.endsWith(kind))
  return files.map((_, at) => {
    const texts = filesOf(at, 'txt').map((name) => read(name).toString('utf8'))
    const pictures = filesOf(at, 'pgm').flatMap((name) => picturesIn(read(name)))
    if (texts.length !== pictures.length)
      throw new Refusal(`gs wrote ${texts.length} texts and ${pictures.length} pictures`)
    if (texts.length === 0) throw new Refusal('gs drew no page')
    return {
      pages: texts.map((text, page) => ({ words: wordsOf(text), picture: pictures[page]! })),
    }
  })
}

/** Pages are counted through all files, so each file has a prefix of its own. */
async function run(
  device: readonly string[],
  kind: string,
  files: readonly string[],
  folder: string,
): Promise<void> {
  const each = files.flatMap((file, at) => {
    const place = path.join(folder, `${at}-%06d.${kind}`)
    return ['-c', `<</OutputFile (${place})>> setpagedevice`, '-f', file]
  })
  // Without its sandbox, which would forbid to change the place of the output between two files.
  const args = ['-q', '-dBATCH', '-dNOPAUSE', '-dNOSAFER', '-dUseCropBox', ...device]
  await printedBy('gs', [...args, `-sOutputFile=${path.join(folder, `none.${kind}`)}`, ...each])
}
