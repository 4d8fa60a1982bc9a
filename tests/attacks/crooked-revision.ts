import { bytesOf, streamBody, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { sizeOf, startOf } from './revision.ts'

/*
 * A revision of which every part can be wrong: what it says about its objects need not be what it holds.
 */

/** An object as it is written, whatever the rows say about it. */
export type Body = { number: number; generation: number; value: string }

/** A place that is known once the revision is written: of the body with this index, `shift` bytes off. */
export type Place = { body: number; shift: number }

/** One row, as it is written. In a table, type 0 is `f`, type 1 is `n`, and any other its own digit. */
export type Row = {
  number: number
  type: number
  second: number | Place
  third: number
  /** In place of the row, in a table. */
  text?: string
}

/** An object stream: its slots name numbers, whatever the rows say. */
export type Container = { number: number; slots: { number: number; value: string }[] }

export type CrookedRevision = {
  style: 'table' | 'stream'
  bodies: Body[]
  /** Written after the bodies; its place is that of the body with the index `bodies.length`. */
  container?: Container
  rows: Row[]
  /** How many more rows each subsection claims than it has. */
  countError: number
  /** Entries of the trailer; undefined leaves one out. */
  size: string | undefined
  root: string | undefined
  prev: string | undefined
  trailer: string
  startError: number
  /** Between the section and `startxref`. */
  afterSection: string
  /** After the end. */
  tail: string
}

/** A revision that adds nothing and is right. */
export function straightRevision(
  file: Uint8Array,
  style: CrookedRevision['style'],
): CrookedRevision {
  return {
    style,
    bodies: [],
    rows: style === 'table' ? [{ number: 0, type: 0, second: 0, third: 65535 }] : [],
    countError: 0,
    size: String(sizeOf(file) + 20),
    root: '1 0 R',
    prev: String(startOf(file)),
    trailer: '/Info 4 0 R',
    startError: 0,
    afterSection: '',
    tail: '',
  }
}

/** The file with the revision after it. */
export function withCrookedRevision(file: Uint8Array, revision: CrookedRevision): Uint8Array {
  const { container } = revision
  let text = textOf(file)
  const places: number[] = []
  const write = ({ number, generation, value }: Body) => {
    places.push(text.length)
    text += `${number} ${generation} obj\n${value}\nendobj\n`
  }
  for (const body of revision.bodies) write(body)
  if (container) write({ number: container.number, generation: 0, value: containerBody(container) })
  const rows = revision.rows.map((row) => ({ ...row, second: placeOf(row.second, places) }))
  const start = text.length
  text += revision.style === 'table' ? table(revision, rows) : stream(file, revision, rows, start)
  const place = start + revision.startError
  return bytesOf(`${text}${revision.afterSection}startxref\n${place}\n%%EOF\n${revision.tail}`)
}

const placeOf = (second: Row['second'], places: readonly number[]) =>
  typeof second === 'number' ? second : (places[second.body] ?? 0) + second.shift

function containerBody({ slots }: Container): string {
  let data = ''
  const heads = slots.map(({ number, value }) => {
    const head = `${number} ${data.length}`
    data += `${value} `
    return head
  })
  const head = `${heads.join(' ')} `
  return streamBody(head + data, `/Type/ObjStm/N ${slots.length}/First ${head.length}`)
}

type PlacedRow = Row & { second: number }

/** Each row is a subsection, so that rows may repeat a number and stand in any order. */
function table(revision: CrookedRevision, rows: readonly PlacedRow[]): string {
  const lines = rows.map(({ number, type, second, third, text }) => {
    const kind = type === 0 ? 'f' : type === 1 ? 'n' : String(type % 10)
    const row = `${String(second).padStart(10, '0')} ${String(third).padStart(5, '0')} ${kind} \n`
    return `${number} ${1 + revision.countError}\n${text ?? row}`
  })
  return `xref\n${lines.join('')}trailer\n<<${entriesOf(revision)}>>\n`
}

function stream(
  file: Uint8Array,
  revision: CrookedRevision,
  rows: readonly PlacedRow[],
  start: number,
): string {
  const own = sizeOf(file) + 10
  const all = [...rows, { number: own, type: 1, second: start, third: 0 }]
  const index = all.map(({ number }) => `${number} ${1 + revision.countError}`).join(' ')
  const data = all
    .map(({ type, second, third }) =>
      String.fromCharCode(
        type & 255,
        (second >> 16) & 255,
        (second >> 8) & 255,
        second & 255,
        third & 255,
      ),
    )
    .join('')
  const entries = `/Type/XRef/W[1 3 1]/Index[${index}]${entriesOf(revision)}`
  return `${own} 0 obj\n${streamBody(data, entries)}\nendobj\n`
}

const entriesOf = ({ size, root, prev, trailer }: CrookedRevision) =>
  [
    size === undefined ? '' : `/Size ${size}`,
    root === undefined ? '' : `/Root ${root}`,
    prev === undefined ? '' : `/Prev ${prev}`,
    trailer,
  ].join('')
