import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { type PageSize, shownSizeOf } from '#server/domain/pdf/page-size.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { LETTER } from './paper.ts'

const MILLIMETRE = 72 / 25.4

/** The papers of Mexican offices and of what they receive. */
const PAPERS: readonly PageSize[] = [
  LETTER,
  { width: 595.28, height: 841.89 },
  { width: 216 * MILLIMETRE, height: 340 * MILLIMETRE },
  { width: 612, height: 1008 },
]

/** Bounds within which a sheet has exactly the size of its deed, in points: they include all of PAPERS. */
const NARROWEST = 580
const WIDEST = 640
const LOWEST = 760
const HIGHEST = 1030
/** How far the proportions of a paper may differ from those of a page that is larger or smaller. */
const LIKENESS = 0.06

/**
 * The size of the sheets of a document, always upright: that of its last page if offices print on such paper, else
 * the paper of most similar proportions (a plan in A0 gets a sheet in A4), else letter.
 *
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 */
export function sheetSizeFor(document: PdfDocument): PageSize {
  const last = pagesOf(document).at(-1)
  const shown = last && shownSizeOf(document, last)
  if (!shown) return LETTER
  const width = hundredths(Math.min(shown.width, shown.height))
  const height = hundredths(Math.max(shown.width, shown.height))
  if (width >= NARROWEST && width <= WIDEST && height >= LOWEST && height <= HIGHEST)
    return { width, height }
  const { paper, distance } = mostSimilar(height / width)
  return distance <= LIKENESS ? rounded(paper) : LETTER
}

function mostSimilar(proportion: number): { paper: PageSize; distance: number } {
  const all = PAPERS.map((paper) => ({
    paper,
    distance: Math.abs(paper.height / paper.width / proportion - 1),
  }))
  return all.reduce((best, one) => (one.distance < best.distance ? one : best))
}

const hundredths = (points: number) => Math.round(points * 100) / 100

const rounded = ({ width, height }: PageSize): PageSize => ({
  width: hundredths(width),
  height: hundredths(height),
})
