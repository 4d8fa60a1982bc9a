import { type Bodies, bytesOf, streamBody, textOf } from '#tests/support/pdf/pdf-builders.ts'

/** How a revision says where its objects are. */
export type RevisionStyle = 'table' | 'stream' | 'object stream'

export type RevisionOptions = {
  style?: RevisionStyle
  /** More entries of the trailer. */
  trailer?: string
  root?: number
  /** Offset of the previous cross-reference; that of the file by default, none if null. */
  prev?: number | null
  /** In place of the entries that the bodies give: number → `[type, second, third]`. */
  rows?: Readonly<Record<number, readonly [number, number, number]>>
}

export const startOf = (file: Uint8Array) =>
  Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(textOf(file))?.[1])

export const sizeOf = (file: Uint8Array, bodies: Bodies = {}) =>
  Math.max(
    ...Object.keys(bodies).map((number) => Number(number) + 1),
    ...[...textOf(file).matchAll(/\/Size (\d+)/g)].map((match) => Number(match[1])),
  )

type Row = readonly [number, number, number]

/** A handwritten revision of `file`; keeps `/ID` and `/Info`. */
export function appendRevision(
  file: Uint8Array,
  bodies: Bodies,
  options: RevisionOptions = {},
): Uint8Array {
  const { style = 'table', root = 1, prev = startOf(file) } = options
  let size = sizeOf(file, bodies)
  let text = textOf(file)
  const rows = new Map<number, Row>()
  const write = (number: number | string, body: string) => {
    rows.set(Number(number), [1, text.length, 0])
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const isPacked = (body: string) =>
    style === 'object stream' && !/endstream|\/ByteRange/.test(body)
  const packed = Object.entries(bodies).filter(([, body]) => isPacked(body))
  for (const [number, body] of Object.entries(bodies)) if (!isPacked(body)) write(number, body)
  if (packed.length > 0) {
    const container = size++
    write(container, objectStream(packed))
    for (const [index, [number]] of packed.entries())
      rows.set(Number(number), [2, container, index])
  }
  for (const [number, row] of Object.entries(options.rows ?? {})) rows.set(Number(number), row)
  const id = '<00112233445566778899aabbccddeeff>'
  const link = prev === null ? '' : `/Prev ${prev}`
  const entries = `/Root ${root} 0 R/Info 4 0 R/ID[${id}${id}]${link}${options.trailer ?? ''}`
  const start = text.length
  if (style === 'table') text += `${tableOf(rows)}trailer\n<</Size ${size}${entries}>>\n`
  else {
    const own = size++
    rows.set(own, [1, start, 0])
    text += `${own} 0 obj\n${crossReferenceStream(rows, `/Size ${size}${entries}`)}\nendobj\n`
  }
  return bytesOf(`${text}startxref\n${start}\n%%EOF\n`)
}

function objectStream(packed: readonly (readonly [string, string])[]): string {
  let data = ''
  const heads = packed.map(([number, body]) => {
    const head = `${number} ${data.length}`
    data += `${body} `
    return head
  })
  const head = `${heads.join(' ')} `
  return streamBody(head + data, `/Type/ObjStm/N ${packed.length}/First ${head.length}`)
}

const inOrder = (rows: ReadonlyMap<number, Row>) => [...rows].sort(([a], [b]) => a - b)

function tableOf(rows: ReadonlyMap<number, Row>): string {
  const lines = inOrder(rows).map(([number, [type, second, third]]) => {
    const kind = type === 0 ? 'f' : 'n'
    return `${number} 1\n${String(second).padStart(10, '0')} ${String(third).padStart(5, '0')} ${kind} \n`
  })
  return `xref\n0 1\n0000000000 65535 f \n${lines.join('')}`
}

export function crossReferenceStream(rows: ReadonlyMap<number, Row>, entries: string): string {
  const ordered = inOrder(rows)
  const index = ordered.map(([number]) => `${number} 1`).join(' ')
  const data = ordered
    .map(([, [type, second, third]]) =>
      String.fromCharCode(type, second >> 16, (second >> 8) & 255, second & 255, third),
    )
    .join('')
  return streamBody(data, `/Type/XRef/W[1 3 1]/Index[${index}]${entries}`)
}
