import { USUAL_COLUMNS } from '#app/ui/document/usual-columns.ts'
import { documentFiltersIn } from '#server/domain/documents/document-filters.ts'
import { DocumentColumn } from '#server/domain/documents/document-list.ts'
import { ListDocuments } from '#server/features/documents/list/list-documents.ts'
import type { Asked } from './list-address.ts'

const { text, state, signer, signingSession, order } = ListDocuments.shape

const Fitting = ListDocuments.pick({
  ...{ text: true, state: true, signer: true, signingSession: true, order: true },
}).extend({
  text: text.catch(undefined),
  state: state.catch(undefined),
  signer: signer.catch(undefined),
  signingSession: signingSession.catch(undefined),
  order: order.catch(undefined),
})

/** What an address asks for; what does not fit is left out. */
export function askedIn(query: URLSearchParams): Asked {
  const values = Object.fromEntries(query)
  const { text = '', state, signer, signingSession, order } = Fitting.parse(values)
  return {
    ...{ text, state, ...documentFiltersIn(values), signer, signingSession },
    order: order === 'newest' ? undefined : order,
    columns: chosenColumns(query.getAll('columns')),
  }
}

/** In the order of the screen. */
function chosenColumns(names: readonly string[]): readonly DocumentColumn[] | undefined {
  const chosen = DocumentColumn.options.filter((column) => names.includes(column))
  const isUsual = chosen.join() === USUAL_COLUMNS.join()
  return chosen.length === 0 || isUsual ? undefined : chosen
}
