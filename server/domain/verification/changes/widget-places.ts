import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isRef } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { areaOf, boxIn, heightOf } from '#server/domain/verification/looks/geometry.ts'

/** Where the widgets of a document are. */
export type WidgetPlaces = {
  /** The first page that lists the widget, counted from 1. */
  pageOf(widget: number): number | undefined
  /** At most 5 % of its page, and 60 points high. */
  isSmall(widget: number): boolean
}

const [LARGEST_PART, HIGHEST] = [0.05, 60] as const

/** @throws {PdfError} `too-complex`, `encrypted`, `damaged` */
export function widgetPlaces(document: PdfDocument): WidgetPlaces {
  const pages = new Map<number, { page: number; area: number }>()
  for (const [index, { dictionary, inherited }] of pagesOf(document).entries()) {
    const box =
      boxIn(document, inherited.get('CropBox')) ?? boxIn(document, inherited.get('MediaBox'))
    const place = { page: index + 1, area: box ? areaOf(box) : 0 }
    const list = document.resolve(dictionary.entries.get('Annots'))
    for (const item of isArray(list) ? list.items : [])
      if (isRef(item) && !pages.has(item.number)) pages.set(item.number, place)
  }
  return {
    pageOf: (widget) => pages.get(widget)?.page,
    isSmall(widget) {
      const box = boxIn(document, entriesOf(document.object(widget)?.value).get('Rect'))
      const page = pages.get(widget)
      if (!box || !page) return false
      return areaOf(box) <= page.area * LARGEST_PART && heightOf(box) <= HIGHEST
    },
  }
}
