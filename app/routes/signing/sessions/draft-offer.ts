import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { documentRow } from '#app/http/document-row.ts'
import { address } from '#app/ui/text/address.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { ChooseDrafts, chooseDrafts } from '#server/features/documents/choose-drafts.ts'
import { readOffice } from '#server/features/offices/read-office.ts'

export type DraftOffer = {
  /** The search; empty for none. */
  text: string
  found: { id: string; title: string; folio: string; created: string }[]
  /** Addresses of the first page, on later ones, and of the next one. */
  first: string | undefined
  next: string | undefined
  /** Whether the address asks for drafts. */
  isAsked: boolean
}

export const NO_DRAFTS: DraftOffer = {
  ...{ text: '', found: [], first: undefined, next: undefined, isAsked: false },
}

const { text: Text, behind: Behind } = ChooseDrafts.shape

/** The drafts that a session can take, by the search and the page in the address: one page of any office. */
export async function draftOffer(
  context: Readonly<RouterContextProvider>,
  query: URLSearchParams,
  view: { id: string; documents: readonly { id: string }[] },
): Promise<DraftOffer> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const text = Text.catch(undefined).parse(query.get('draft')?.trim() || undefined)
  const behind = Behind.catch(undefined).parse(query.get('after') || undefined)
  const chosen = view.documents.map(({ id }) => DocumentId.parse(id))
  const { found, next } = await chooseDrafts(system, actor, { chosen, text, behind })
  const { timeZone } = await readOffice(system, actor)
  const path = `/dashboard/signing/${view.id}`
  return {
    text: text ?? '',
    found: found.map((document) => documentRow(document, timeZone)),
    first: behind && address(path, { draft: text ?? '' }),
    next: next && address(path, { draft: text ?? '', after: next }),
    isAsked: query.has('draft'),
  }
}
