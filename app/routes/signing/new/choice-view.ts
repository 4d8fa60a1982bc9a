import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { documentRow } from '#app/http/documents/document-row.ts'
import { address } from '#app/ui/text/address.ts'
import type { DocumentFilters } from '#server/domain/documents/document-filters.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { ChooseDrafts, chooseDrafts } from '#server/features/documents/choose-drafts.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { MOST_DOCUMENTS } from '#server/features/signing-sessions/session-data.ts'

export type Choice = {
  /** Ids, as the form or the address has them. */
  chosen: readonly string[]
  text: string
  filters: DocumentFilters
  /** Where the page of the search begins; empty for its beginning. */
  behind: string
}

/** The address of the page with this search, so that it can be kept and loaded again. */
export const choiceAddress = ({ text, filters, behind }: Omit<Choice, 'chosen'>): string =>
  address('/dashboard/signing/new', { text, ...filters, behind })

/** The choice of documents as the form shows it. */
export async function choiceView(context: Readonly<RouterContextProvider>, choice: Choice) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await readOffice(system, actor)
  const ids = choice.chosen.flatMap((id) => DocumentId.safeParse(id).data ?? [])
  const { text, behind } = ChooseDrafts.pick({ text: true, behind: true })
    .catch({})
    .parse({ text: choice.text || undefined, behind: choice.behind || undefined })
  const chosen = ids.slice(0, MOST_DOCUMENTS)
  const { filters } = choice
  const found = await chooseDrafts(system, actor, { chosen, text, behind, ...filters })
  const rowOf = (document: (typeof found.found)[number]) => documentRow(document, timeZone)
  return {
    chosen: found.chosen.map(rowOf),
    found: found.found.map(rowOf),
    next: found.next ?? null,
    areSimilar: found.areSimilar,
    wasCutShort: found.wasCutShort,
    isIncomplete: found.isIncomplete,
    text: choice.text,
    filters,
    /** Of the address of this search. */
    query: choiceAddress(choice).split('?')[1] ?? '',
    behind: behind === undefined ? '' : choice.behind,
  }
}

export type ChoiceView = Awaited<ReturnType<typeof choiceView>>
