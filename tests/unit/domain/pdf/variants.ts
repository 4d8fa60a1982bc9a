import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { judge } from '#tests/support/judges.ts'
import {
  bodiesWithPages,
  pdfHybrid,
  pdfLinearizedLike,
  pdfWithObjectStream,
  pdfWithTable,
} from '#tests/support/pdf/pdf-builders.ts'

export const qpdf = judge('qpdf')
export const mutool = judge('mutool')

const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-pdf-'))
let count = 0

/** Writes the bytes where other programs can read them. */
export function onDisk(bytes: Uint8Array): string {
  const file = path.join(folder, `${count++}.pdf`)
  writeFileSync(file, bytes)
  return file
}

/** The file as qpdf writes it anew. */
export function rewritten(bytes: Uint8Array, ...options: string[]): Uint8Array {
  const out = path.join(folder, `${count++}.pdf`)
  qpdf(...options, onDisk(bytes), out)
  return new Uint8Array(readFileSync(out))
}

const plain = () => pdfWithTable(bodiesWithPages(3))

/** Three pages in every way that a file may be laid out. */
export const VARIANTS: Record<string, () => Uint8Array> = {
  'a table': plain,
  'a table without a last line end': () => pdfWithTable(bodiesWithPages(3), { lastLineEnd: '' }),
  'junk before the header': () =>
    pdfWithTable(bodiesWithPages(3), { junk: 'HTTP/1.1 200\r\n\r\n' }),
  'an object stream': () => pdfWithObjectStream(bodiesWithPages(3)),
  'a hybrid': () => pdfHybrid(bodiesWithPages(3)),
  'two sections like a linearized file': () => pdfLinearizedLike(bodiesWithPages(3)),
  'qpdf object streams': () => rewritten(plain(), '--object-streams=generate'),
  'qpdf linearized': () => rewritten(plain(), '--linearize'),
  'qpdf linearized with object streams': () =>
    rewritten(plain(), '--linearize', '--object-streams=generate'),
  'qpdf qdf': () => rewritten(plain(), '--qdf'),
}
