import { z } from 'zod'
import { ChooseDrafts } from '#server/features/documents/choose-drafts.ts'

const { kind, by, from, to } = ChooseDrafts.shape

const Filters = z.object({
  kind: kind.catch(undefined),
  by: by.catch(undefined),
  from: from.catch(undefined),
  to: to.catch(undefined),
})

/** What drafts are filtered by besides words, in forms and addresses. */
export type DraftFilters = z.infer<typeof Filters>

/** The filters among these values; one that is empty or does not fit is left out. */
export const draftFiltersIn = (values: Readonly<Record<string, unknown>>): DraftFilters =>
  Filters.parse({ kind: values.kind, by: values.by, from: values.from, to: values.to })
