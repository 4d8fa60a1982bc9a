import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isRef } from '#server/domain/pdf/object.ts'
import { type PdfPage, pagesOf } from '#server/domain/pdf/pages.ts'
import {
  areaOf,
  type Box,
  boxIn,
  heightOf,
  intersection,
} from '#server/domain/verification/looks/geometry.ts'

/** Where the widgets of a document are. */
export type WidgetPlaces = {
  /** The first page that lists the widget, counted from 1. */
  pageOf(widget: number): number | undefined
  /** All pages that list it. */
  pagesOf(widget: number): readonly number[]
  /** What is shown of that page; undefined if it states no area. */
  shownPageOf(widget: number): Box | undefined
  /** At most 5 % of its page, and 60 points high. */
  isSmall(widget: number): boolean
}

type Listing = { readonly page: number; readonly shown: Box | undefined }

const [LARGEST_PART, HIGHEST] = [0.05, 60] as const

/** @throws {PdfError} `too-complex`, `encrypted`, `damaged` */
export function widgetPlaces(document: PdfDocument): WidgetPlaces {
  const pages = new Map<number, Listing[]>()
  for (const [index, { dictionary, inherited }] of pagesOf(document).entries()) {
    const place = { page: index + 1, shown: shownBox(document, inherited) }
    const list = document.resolve(dictionary.entries.get('Annots'))
    const items = isArray(list) ? list.items.filter(isRef) : []
    for (const number of new Set(items.map((item) => item.number))) {
      const known = pages.get(number)
      if (known) known.push(place)
      else pages.set(number, [place])
    }
  }
  return {
    pageOf: (widget) => pages.get(widget)?.[0]?.page,
    pagesOf: (widget) => pages.get(widget)?.map(({ page }) => page) ?? [],
    shownPageOf: (widget) => pages.get(widget)?.[0]?.shown,
    isSmall(widget) {
      const box = boxIn(document, entriesOf(document.object(widget)?.value).get('Rect'))
      const shown = pages.get(widget)?.[0]?.shown
      if (!box || !shown) return false
      return areaOf(box) <= areaOf(shown) * LARGEST_PART && heightOf(box) <= HIGHEST
    },
  }
}

/** The crop box within the media box. @see ISO 32000-2:2020, 14.11.2 */
export function shownBox(document: PdfDocument, inherited: PdfPage['inherited']): Box | undefined {
  const [media, crop] = ['MediaBox', 'CropBox'].map((key) => boxIn(document, inherited.get(key)))
  const both = media && crop && intersection(media, crop)
  return both && areaOf(both) > 0 ? both : (media ?? crop)
}
