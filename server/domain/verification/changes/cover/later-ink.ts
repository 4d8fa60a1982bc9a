import { entriesOf, isArray, isRef } from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { type Box, meets } from '#server/domain/verification/looks/geometry.ts'
import type { Trace } from '#server/domain/verification/looks/marks.ts'
import { spendOn } from './content-loss.ts'
import { type CoveringLook, coveringLooks } from './covering-ink.ts'
import { turnOf } from './turned-back.ts'

type LaterInk = { darkest(): readonly Trace[] }

/**
 * What a look draws in its place on a page, and all looks of annotations that came later: each may leave the half of a
 * text that another one hides. The field of a later signature may have been signed without a look. For `once`.
 */
export function laterInk(comparison: Comparison): (page: PdfPage, look: CoveringLook) => LaterInk {
  const known = new Map<PdfPage, ReturnType<typeof looksBySquare>>()
  return (page, look) => {
    const looksNear = known.get(page) ?? looksBySquare(laterLooks(comparison, page))
    known.set(page, looksNear)
    const looks = looksNear(look.place).add(look)
    const together = [...looks].filter((one) => meets(one.place, look.place))
    spendOn(comparison, looks.size)
    return {
      darkest() {
        const traces = together.flatMap((one) => one.darkest())
        spendOn(comparison, traces.length)
        return traces
      },
    }
  }
}

/** Of the annotations that the page did not have. */
function laterLooks({ before, after }: Comparison, page: PdfPage): CoveringLook[] {
  const signed = new Set(numbersIn(before.resolve(page.dictionary.entries.get('Annots'))))
  const now = page.ref && entriesOf(after.object(page.ref.number)?.value)
  const numbers = new Set(numbersIn(after.resolve(now?.get('Annots'))))
  const turn = turnOf(before, page)
  return [...numbers]
    .filter((number) => !signed.has(number))
    .flatMap((number) => after.once(coveringLooks)(number, turn) ?? [])
}

const numbersIn = (list: ReturnType<Comparison['after']['resolve']>) =>
  isArray(list) ? list.items.filter(isRef).map(({ number }) => number) : []

/** Signatures of large documents stand beside each other, and few in one square. */
function looksBySquare(looks: readonly CoveringLook[]): (place: Box) => Set<CoveringLook> {
  const squares = new Map<string, CoveringLook[]>()
  const large: CoveringLook[] = []
  for (const look of looks) {
    const names = squaresOf(look.place)
    if (!names) large.push(look)
    for (const name of names ?? []) {
      const known = squares.get(name)
      if (known) known.push(look)
      else squares.set(name, [look])
    }
  }
  return (place) => {
    const near = squaresOf(place)?.flatMap((name) => squares.get(name) ?? []) ?? looks
    return new Set([...near, ...large])
  }
}

/** In points. */
const SIDE = 100
const MOST_SIDES = 20

/** The squares of a page that a place meets; undefined if it is larger than pages are. */
function squaresOf({ left, bottom, right, top }: Box): string[] | undefined {
  const [columns, rows] = [stepsIn(left, right), stepsIn(bottom, top)]
  return columns && rows && columns.flatMap((x) => rows.map((y) => `${x} ${y}`))
}

function stepsIn(from: number, to: number): number[] | undefined {
  const [first, last] = [Math.floor(from / SIDE), Math.floor(to / SIDE)]
  if (last - first >= MOST_SIDES) return undefined
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
