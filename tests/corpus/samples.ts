import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { CLASSES } from './classes.ts'

/** A file with a known answer. */
export type Sample = {
  /** Relative to the folder of the corpus. */
  file: string
  kind: string
}

const Expected = z.array(z.object({ file: z.string(), expect: z.string() }))

/**
 * The PDFs of a corpus: by its `expected.json` (`[{ file, expect }]`) if it names them, else by their folder.
 *
 * @throws {Error} for an unknown class, a named file that is missing, or an empty corpus
 */
export function samplesIn(folder: string): Sample[] {
  const samples = [...expectedIn(folder), ...foldersIn(folder)]
  const unique = [...new Map(samples.toReversed().map((sample) => [sample.file, sample])).values()]
  if (unique.length === 0) throw new Error(`${folder} holds no PDF of a known class`)
  return unique.sort((a, b) => a.file.localeCompare(b.file))
}

function expectedIn(folder: string): Sample[] {
  const list = path.join(folder, 'expected.json')
  if (!existsSync(list)) return []
  return Expected.parse(JSON.parse(readFileSync(list, 'utf8'))).map(({ file, expect }) => {
    if (!Object.hasOwn(CLASSES, expect)) throw new Error(`${file}: no class ${expect}`)
    if (!existsSync(path.join(folder, file))) throw new Error(`${file} is named and missing`)
    return { file: path.normalize(file), kind: expect }
  })
}

function foldersIn(folder: string): Sample[] {
  return Object.keys(CLASSES)
    .filter((kind) => existsSync(path.join(folder, kind)))
    .flatMap((kind) =>
      readdirSync(path.join(folder, kind), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.toLowerCase().endsWith('.pdf'))
        .map((name) => ({ file: path.join(kind, name), kind })),
    )
}
