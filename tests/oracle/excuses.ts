import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Box } from './look.ts'
import { withPdfJs } from './readers/pdf-js.ts'

/** A place where the report says that something changed: there a reader may show something else. */
export type Excuse = {
  /** Counts from 1. */
  page: number
  box: Box
  /** What was printed there when the file was signed must still be seen: under the look of a later signature. */
  keepsInk: boolean
}

type Widget = { page: number; number: number; name: string; isSignature: boolean; box: Box }

/**
 * The places of the fields that the report lists as filled or added. A field that was signed counts where it was
 * then, wherever it is said to be now. pdf.js looks for them, because our own reader is what is tested.
 *
 * @param listed numbers of the objects that the report names
 */
export async function excusesFor(
  signed: Uint8Array,
  whole: Uint8Array,
  listed: ReadonlySet<number>,
): Promise<Excuse[]> {
  if (listed.size === 0) return []
  try {
    return await placesOf(listed, signed, whole)
  } catch {
    // A file that pdf.js does not read has no excuse; its look is compared like that of any other.
    return []
  }
}

async function placesOf(
  listed: ReadonlySet<number>,
  signed: Uint8Array,
  whole: Uint8Array,
): Promise<Excuse[]> {
  const before = new Map((await widgetsIn(signed)).map((widget) => [widget.number, widget]))
  const now = await widgetsIn(whole)
  const names = await namesOf(whole, listed)
  const isListed = ({ number, name }: Widget) =>
    listed.has(number) || names.some((one) => name === one || name.startsWith(`${one}.`))
  return now.filter(isListed).map((widget) => {
    const then = before.get(widget.number)
    const { page, box, isSignature } = then ?? widget
    return { page, box, keepsInk: isSignature || then === undefined }
  })
}

async function widgetsIn(file: Uint8Array): Promise<Widget[]> {
  return withPdfJs(file, async (document) => {
    const widgets: Widget[] = []
    for (let page = 1; page <= document.numPages; page++)
      widgets.push(...(await widgetsOn(document, page)))
    return widgets
  })
}

type Annotation = {
  id: string
  rect: [number, number, number, number]
  fieldName?: string
  fieldType?: string
}

async function widgetsOn(document: PDFDocumentProxy, number: number): Promise<Widget[]> {
  const page = await document.getPage(number)
  const viewport = page.getViewport({ scale: 1 })
  const annotations = (await page.getAnnotations()) as Annotation[]
  return annotations.flatMap(({ id, rect, fieldName, fieldType }) => {
    if (fieldName === undefined) return []
    const [x1, y1] = viewport.convertToViewportPoint(rect[0], rect[1]) as [number, number]
    const [x2, y2] = viewport.convertToViewportPoint(rect[2], rect[3]) as [number, number]
    const box = {
      left: Math.min(x1, x2),
      top: Math.min(y1, y2),
      right: Math.max(x1, x2),
      bottom: Math.max(y1, y2),
    }
    const isSignature = fieldType === 'Sig'
    return { page: number, number: Number.parseInt(id, 10), name: fieldName, isSignature, box }
  })
}

/** The names of listed fields that have no place themselves, only their parts. */
function namesOf(file: Uint8Array, listed: ReadonlySet<number>): Promise<string[]> {
  return withPdfJs(file, async (document) => {
    const fields = (await document.getFieldObjects()) ?? {}
    const entries = (fields instanceof Map ? [...fields] : Object.entries(fields)) as [
      string,
      { id: string }[],
    ][]
    return entries.flatMap(([name, parts]) =>
      parts.some(({ id }) => listed.has(Number.parseInt(id, 10))) ? [name] : [],
    )
  })
}
