import { concatBytes } from '#server/domain/bytes.ts'
import { fromLatin1 } from '#server/domain/pdf/characters.ts'
import { array, dictionary, name, type PdfObject } from '#server/domain/pdf/object.ts'
import { serialize, serializeObject } from '#server/domain/pdf/serialize.ts'

/** Offsets as the file states them, counted from its header. */
export type SectionEntry =
  | { readonly number: number; readonly generation: number; readonly offset: number }
  | { readonly number: number; readonly stream: number; readonly index: number }
  /** The head of the list of free objects, in the first section of a file. */
  | { readonly number: 0; readonly generation: 65535; readonly isFree: true }

type Frame = {
  /** Where the section begins, as the file states it. */
  readonly place: number
  /** One more than the highest object number, the section itself not counted. */
  readonly size: number
  /** Without /Size. */
  readonly trailer: ReadonlyMap<string, PdfObject>
}

/** A cross-reference table with its trailer, to the end of the file. @see ISO 32000-2:2020, 7.5.4 */
export function tableSection(entries: readonly SectionEntry[], frame: Frame): Uint8Array {
  const lines = consecutive(entries).map((run) => {
    const rows = run.map((entry) => {
      if ('stream' in entry) throw new TypeError('a table cannot point into an object stream')
      const [offset, mark] = 'isFree' in entry ? [0, 'f'] : [entry.offset, 'n']
      return `${String(offset).padStart(10, '0')} ${String(entry.generation).padStart(5, '0')} ${mark}\r\n`
    })
    return `${run[0]!.number} ${run.length}\n${rows.join('')}`
  })
  const trailer = serialize({
    kind: 'dictionary',
    entries: new Map<string, PdfObject>([['Size', frame.size], ...frame.trailer]),
  })
  return fromLatin1(`xref\n${lines.join('')}trailer\n${trailer}\n${ending(frame.place)}`)
}

/** A cross-reference stream, to the end of the file. @see ISO 32000-2:2020, 7.5.8 */
export function streamSection(others: readonly SectionEntry[], frame: Frame): Uint8Array {
  const own: SectionEntry = { number: frame.size, generation: 0, offset: frame.place }
  const runs = consecutive([...others, own].sort((a, b) => a.number - b.number))
  const index = runs.flatMap((run) => [run[0]!.number, run.length])
  const data = concatBytes(...runs.flat().map(streamRow))
  const entries = dictionary({
    Type: name('XRef'),
    Size: frame.size + 1,
    W: array([1, 6, 2]),
    Index: array(index),
  }).entries
  const object = serializeObject(frame.size, 0, {
    kind: 'new-stream',
    dictionary: { kind: 'dictionary', entries: new Map([...entries, ...frame.trailer]) },
    data,
  })
  return concatBytes(object, fromLatin1(ending(frame.place)))
}

function streamRow(entry: SectionEntry): Uint8Array {
  const row = Buffer.alloc(9)
  if ('isFree' in entry) throw new TypeError('only a table begins a file')
  const isOffset = 'offset' in entry
  row[0] = isOffset ? 1 : 2
  row.writeUIntBE(isOffset ? entry.offset : entry.stream, 1, 6)
  row.writeUInt16BE(isOffset ? entry.generation : entry.index, 7)
  return row
}

function consecutive(entries: readonly SectionEntry[]): SectionEntry[][] {
  const runs: SectionEntry[][] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    if (run && run.at(-1)!.number + 1 === entry.number) run.push(entry)
    else runs.push([entry])
  }
  return runs
}

const ending = (place: number) => `startxref\n${place}\n%%EOF\n`
