import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Box } from './look.ts'
import { withPdfJs } from './readers/pdf-js.ts'

/** A field where a page shows it, as pdf.js finds it: our own reader is what is tested. */
export type Widget = {
  /** Counts from 1. */
  page: number
  /** Of its object. */
  number: number
  /** Of its field, with those of its parents: `Domicilio.calle`. */
  name: string
  box: Box
  /** `Tx`, `Ch`, `Btn` or `Sig`. */
  type: string
  /** The words of a list for the values that it stores. */
  options: readonly { exportValue: string; displayValue: string }[]
  isCombo: boolean
  isMultiline: boolean
  isPassword: boolean
  /** A script says how the value is shown. */
  isFormatted: boolean
  /** Neither hidden nor without an appearance that readers draw. */
  isDrawn: boolean
}

/** @throws {Error} of pdf.js, if it does not read the file */
export async function widgetsIn(file: Uint8Array): Promise<Widget[]> {
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
  options?: Widget['options']
  combo?: boolean
  multiLine?: boolean
  password?: boolean
  actions?: ReadonlyMap<string, unknown> | null
  annotationFlags?: number
  hasAppearance?: boolean
}

/** Invisible, hidden, not viewed. */
const UNSEEN = 1 | 2 | 32

async function widgetsOn(document: PDFDocumentProxy, number: number): Promise<Widget[]> {
  const page = await document.getPage(number)
  const viewport = page.getViewport({ scale: 1 })
  const annotations = (await page.getAnnotations()) as Annotation[]
  return annotations.flatMap((annotation) => {
    const { id, rect, fieldName, fieldType = '', actions } = annotation
    if (fieldName === undefined) return []
    const [x1, y1] = viewport.convertToViewportPoint(rect[0], rect[1]) as [number, number]
    const [x2, y2] = viewport.convertToViewportPoint(rect[2], rect[3]) as [number, number]
    const box = {
      left: Math.min(x1, x2),
      top: Math.min(y1, y2),
      right: Math.max(x1, x2),
      bottom: Math.max(y1, y2),
    }
    return {
      page: number,
      number: Number.parseInt(id, 10),
      name: fieldName,
      box,
      type: fieldType,
      options: annotation.options ?? [],
      isCombo: annotation.combo === true,
      isMultiline: annotation.multiLine === true,
      isPassword: annotation.password === true,
      isFormatted: actions?.has('Format') === true,
      isDrawn:
        ((annotation.annotationFlags ?? 0) & UNSEEN) === 0 && annotation.hasAppearance === true,
    }
  })
}
