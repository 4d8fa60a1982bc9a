import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { documentRow } from '#app/http/documents/document-row.ts'
import { isFiltered } from '#app/ui/document/document-filters.ts'
import { address } from '#app/ui/text/address.ts'
import {
  type DocumentFilters,
  documentFiltersIn,
} from '#server/domain/documents/document-filters.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { ChooseDrafts, chooseDrafts } from '#server/features/documents/choose-drafts.ts'
import { readOffice } from '#server/features/offices/read-office.ts'

export type DraftOffer = {
  /** The search; empty for none. */
  text: string
  filters: DocumentFilters
  found: { id: string; title: string; folio: string; created: string }[]
  /** What the search says about what it found, see `DocumentPage`. */
  areSimilar: boolean
  wasCutShort: boolean
  isIncomplete: boolean
  /** Addresses of the first page, on later ones, and of the next one. */
  first: string | undefined
  next: string | undefined
  /** Whether the address asks for drafts. */
  isAsked: boolean
}

export const NO_DRAFTS: DraftOffer = {
  ...{ text: '', filters: {}, found: [], first: undefined, next: undefined, isAsked: false },
  ...{ areSimilar: false, wasCutShort: false, isIncomplete: false },
}

const { text: Text, behind: Behind } = ChooseDrafts.shape

/** The drafts that a session can take, by the search, the filters and the page in the address: one page of any office. */
export async function draftOffer(
  context: Readonly<RouterContextProvider>,
  query: URLSearchParams,
  view: { id: string; documents: readonly { id: string }[] },
): Promise<DraftOffer> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const text = Text.catch(undefined).parse(query.get('draft')?.trim() || undefined)
  const behind = Behind.catch(undefined).parse(query.get('after') || undefined)
  const chosen = view.documents.map(({ id }) => DocumentId.parse(id))
  const filters = documentFiltersIn(Object.fromEntries(query))
  const { found, next, areSimilar, wasCutShort, isIncomplete } = await chooseDrafts(system, actor, {
    chosen,
    text,
    behind,
    ...filters,
  })
  const { timeZone } = await readOffice(system, actor)
  const path = `/dashboard/signing/${view.id}`
  return {
    text: text ?? '',
    ...{ filters, areSimilar, wasCutShort, isIncomplete },
    found: found.map((document) => documentRow(document, timeZone)),
    first: behind && address(path, { draft: text, ...filters }),
    next: next && address(path, { draft: text, ...filters, after: next }),
    isAsked: query.has('draft') || query.has('after') || isFiltered(filters),
  }
}
