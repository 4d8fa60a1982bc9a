import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isStream, type PdfStream } from '#server/domain/pdf/object.ts'
import type { Frame } from '#server/domain/verification/looks/frame.ts'
import { IDENTITY } from '#server/domain/verification/looks/geometry.ts'
import { inkOfContent } from '#server/domain/verification/looks/ink.ts'
import type { Ink } from '#server/domain/verification/looks/marks.ts'
import {
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
} from '#tests/support/pdf/pdf-builders.ts'

const EVERYWHERE = { left: -1e6, bottom: -1e6, right: 1e6, top: 1e6 }
const RESOURCES = 20

export const documentOf = (bodies: Bodies): PdfDocument =>
  readDocument(memorySource(pdfWithTable({ ...bodiesWithPages(1), ...bodies })))

/** An object that is a stream. */
export function streamIn(document: PdfDocument, number: number): PdfStream {
  const stream = document.object(number)?.value ?? null
  if (!isStream(stream)) throw new Error(`object ${number} is no stream`)
  return stream
}

/** What instructions draw with these resources, and with objects of other numbers. */
export function drawn(content: string, resources = '<<>>', others: Bodies = {}): Ink {
  const document = documentOf({ [RESOURCES]: resources, ...others })
  const entries = entriesOf(document.object(RESOURCES)?.value)
  const canvas = { matrix: IDENTITY, clip: EVERYWHERE }
  return inkOfContent(document, () => bytesOf(content), entries, canvas)
}

/** The look of a widget of 20 points each side. */
export function frameDrawing(content: string, resources?: string, others?: Bodies): Frame {
  const ink = drawn(content, resources, others)
  return { width: 20, height: 20, turn: 0, ink, drawn: ink }
}
