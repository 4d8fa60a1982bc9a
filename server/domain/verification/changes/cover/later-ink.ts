import { entriesOf, isArray, isRef } from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { type Box, meets } from '#server/domain/verification/looks/geometry.ts'
import type { Trace } from '#server/domain/verification/looks/marks.ts'
import { type BySquare, bySquare } from './by-square.ts'
import { spendOn } from './content-loss.ts'
import { type CoveringLook, coveringLooks } from './covering-ink.ts'
import { turnOf } from './turned-back.ts'

type LaterInk = {
  darkest(): readonly Trace[]
  /** The areas of the other looks. */
  otherAreas(): readonly Box[]
}

/**
 * What a look draws in its place on a page, and all looks of annotations that came later: each may leave the half of a
 * text that another one hides. The field of a later signature may have been signed without a look. For `once`.
 */
export function laterInk(comparison: Comparison): (page: PdfPage, look: CoveringLook) => LaterInk {
  const known = new Map<PdfPage, BySquare<CoveringLook>>()
  return (page, look) => {
    const looksNear =
      known.get(page) ?? bySquare(laterLooks(comparison, page), ({ place }) => place)
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
      otherAreas: () =>
        together.flatMap((one) => (one === look ? [] : one.areas.map(({ box }) => box))),
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
