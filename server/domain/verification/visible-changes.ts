import { isDoubtful } from './codes/change-codes.ts'
import type { Change, VerificationReport } from './report.ts'

/** A page that shows something else than when it was signed. */
export type ChangedPage = {
  /** Which signature of the file; counts from 0. */
  signature: number
  /** Counts from 1. */
  page: number
}

/** More would make the answer heavy without helping the reader. */
const MOST_PAGES = 4

/**
 * The first pages on which a signature was followed by a change that can be seen; each once, by its first signature.
 * Filled fields and the looks of later signatures come after changes that no signature allows or that leave a doubt.
 */
export function changedPages({
  signatures,
}: Pick<VerificationReport, 'signatures'>): ChangedPage[] {
  const found = new Map<number, ChangedPage>()
  for (const isListed of [isWorse, isFormFilling])
    for (const [index, { changes, coverage, number = index + 1 }] of signatures.entries()) {
      if (coverage !== 'ENTIRE_REVISION') continue
      for (const change of changes) {
        const { page } = change
        if (isListed(change) && page !== undefined && !found.has(page))
          found.set(page, { signature: number - 1, page })
      }
    }
  return [...found.values()].slice(0, MOST_PAGES).toSorted((a, b) => a.page - b.page)
}

const isWorse = ({ level, code }: Change) =>
  level === 'ANNOTATIONS' || level === 'OTHER' || isDoubtful(code)
const isFormFilling = ({ level }: Change) => level === 'FORM_FILLING'
