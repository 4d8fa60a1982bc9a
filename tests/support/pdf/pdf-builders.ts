/*
 * Small handwritten PDFs: they share no code with the reader and writer under test. Object bodies are text, one
 * character a byte.
 */

/** Object number → its body, without `n 0 obj` and `endobj`. Object 1 is the catalog. */
export type Bodies = Record<number, string>

export const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
export const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

export const streamBody = (data: string, entries = '') =>
  `<</Length ${data.length}${entries}>>\nstream\n${data}\nendstream`

/** The bodies of a document whose page n shows the word "Page n". */
export function bodiesWithPages(count: number, catalogEntries = '', pagesEntries = ''): Bodies {
  const pages = Array.from({ length: count }, (_, index) => 10 + 2 * index)
  return {
    1: `<</Type/Catalog/Pages 2 0 R${catalogEntries}>>`,
    2: `<</Type/Pages/Kids[${pages.map((page) => `${page} 0 R`).join(' ')}]/Count ${count}${pagesEntries}>>`,
    3: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    4: '<</Title(Escritura \\(una\\))/Own#20Key 1.50>>',
    ...Object.fromEntries(
      pages.flatMap((page, index) => [
        [
          page,
          `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Contents ${page + 1} 0 R>>`,
        ],
        [page + 1, streamBody(`BT /F1 24 Tf 30 150 Td (Page ${index + 1}) Tj ET`)],
      ]),
    ),
  }
}

const ID = '<00112233445566778899aabbccddeeff>'
const TRAILER = `/Root 1 0 R/Info 4 0 R/ID[${ID}${ID}]`
const sizeOf = (bodies: Bodies) => Math.max(...Object.keys(bodies).map(Number)) + 1

function writeObjects(start: string, bodies: Bodies) {
  let text = start
  const offsets = new Map<number, number>()
  for (const [number, body] of Object.entries(bodies)) {
    offsets.set(Number(number), text.length)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  return { text, offsets }
}

function tableOf(offsets: ReadonlyMap<number, number>): string {
  const rows = [...offsets].map(
    ([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`,
  )
  return `xref\n0 1\n0000000000 65535 f \n${rows.join('')}`
}

export type TableOptions = { junk?: string; trailer?: string; lastLineEnd?: string }

/** A file with a cross-reference table. */
export function pdfWithTable(bodies: Bodies, options: TableOptions = {}): Uint8Array {
  const { junk = '', trailer = '', lastLineEnd = '\n' } = options
  const { text, offsets } = writeObjects('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', bodies)
  const table = tableOf(offsets)
  return bytesOf(
    `${junk}${text}${table}trailer\n<</Size ${sizeOf(bodies)}${TRAILER}${trailer}>>\nstartxref\n${text.length}\n%%EOF${lastLineEnd}`,
  )
}

/** A revision with a cross-reference table, written by hand onto `base`. */
export function appendTable(
  base: Uint8Array,
  bodies: Bodies,
  options: { root?: number; trailer?: string; prev?: number } = {},
): Uint8Array {
  const before = textOf(base)
  const prev = options.prev ?? Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(before)?.[1])
  const { text, offsets } = writeObjects(before, bodies)
  const size = Math.max(
    sizeOf(bodies),
    ...[...before.matchAll(/\/Size (\d+)/g)].map((m) => Number(m[1])),
  )
  return bytesOf(
    `${text}${tableOf(offsets)}trailer\n<</Size ${size}/Root ${options.root ?? 1} 0 R/ID[${ID}${ID}]/Prev ${prev}${options.trailer ?? ''}>>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}

function objectStreamBody(bodies: Bodies): string {
  let data = ''
  const heads: string[] = []
  for (const [number, body] of Object.entries(bodies)) {
    heads.push(`${number} ${data.length}`)
    data += `${body} `
  }
  const head = `${heads.join(' ')} `
  return streamBody(head + data, `/Type/ObjStm/N ${heads.length}/First ${head.length}`)
}

function rowsOf(rows: readonly (readonly [number, number, number])[]): string {
  return rows
    .map(([type, second, third]) =>
      String.fromCharCode(type, second >> 16, (second >> 8) & 255, second & 255, third),
    )
    .join('')
}

const isStreamBody = (body: string) => body.includes('endstream')

/** A file with a cross-reference stream and, but for streams, all objects in an object stream. */
export function pdfWithObjectStream(bodies: Bodies): Uint8Array {
  const split = (wanted: boolean) =>
    Object.fromEntries(Object.entries(bodies).filter(([, body]) => isStreamBody(body) === wanted))
  const packed = split(false)
  const container = sizeOf(bodies)
  const { text, offsets } = writeObjects('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', {
    ...split(true),
    [container]: objectStreamBody(packed),
  })
  offsets.set(container + 1, text.length)
  const order = Object.keys(packed)
  const rows = Array.from({ length: container + 2 }, (_, number) => {
    const offset = offsets.get(number)
    if (offset !== undefined) return [1, offset, 0] as const
    const index = order.indexOf(String(number))
    return index < 0 ? ([0, 0, 0] as const) : ([2, container, index] as const)
  })
  const section = streamBody(rowsOf(rows), `/Type/XRef/W[1 3 1]/Size ${container + 2}${TRAILER}`)
  return bytesOf(
    `${text}${container + 1} 0 obj\n${section}\nendobj\nstartxref\n${text.length}\n%%EOF\n`,
  )
}

/** A hybrid file: its table marks objects 3 and 4 as free, only the stream contains them. */
export function pdfHybrid(bodies: Bodies): Uint8Array {
  const { 3: font, 4: info, ...open } = bodies
  const container = sizeOf(bodies)
  const { text, offsets } = writeObjects('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', {
    ...open,
    [container]: objectStreamBody({ 3: font!, 4: info! }),
  })
  const section = streamBody(
    rowsOf([
      [2, container, 0],
      [2, container, 1],
    ]),
    `/Type/XRef/W[1 3 1]/Index[3 2]/Size ${container + 2}`,
  )
  const withStream = `${text}${container + 1} 0 obj\n${section}\nendobj\n`
  return bytesOf(
    `${withStream}${tableOf(offsets)}trailer\n<</Size ${container + 2}${TRAILER}/XRefStm ${text.length}>>\nstartxref\n${withStream.length}\n%%EOF\n`,
  )
}

/** A file with two sections, the older one last, as in linearized files. */
export function pdfLinearizedLike(bodies: Bodies): Uint8Array {
  const entries = Object.entries(bodies)
  const firstHalf = Object.fromEntries(entries.slice(0, 3))
  const secondHalf = Object.fromEntries(entries.slice(3))
  const head = writeObjects('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', firstHalf)
  const firstSection = (prev: string) =>
    `${tableOf(head.offsets)}trailer\n<</Size ${sizeOf(bodies)}${TRAILER}/Prev ${prev}>>\nstartxref\n0\n%%EOF\n`
  const tail = writeObjects(head.text + firstSection('0000000000'), secondHalf)
  const prev = String(tail.text.length).padStart(10, '0')
  const text =
    head.text + firstSection(prev) + tail.text.slice((head.text + firstSection(prev)).length)
  return bytesOf(
    `${text}${tableOf(tail.offsets)}trailer\n<</Size ${sizeOf(bodies)}>>\nstartxref\n${head.text.length}\n%%EOF\n`,
  )
}
