import { address } from '#app/ui/text/address.ts'
import type { DocumentState } from '#server/domain/documents/document.ts'
import {
  type DocumentFilters,
  documentFiltersIn,
} from '#server/domain/documents/document-filters.ts'
import {
  DocumentColumn,
  type DocumentOrder,
  USUAL_COLUMNS,
} from '#server/domain/documents/document-list.ts'
import type { SigningSessionId, UserId } from '#server/domain/ids.ts'
import { ListDocuments } from '#server/features/documents/list-documents.ts'

/** What the address of the list asks for, without the place in it. */
export type Asked = DocumentFilters & {
  /** Empty for none. */
  text: string
  state: DocumentState | undefined
  /** A user of the office. */
  signer: UserId | undefined
  session: SigningSessionId | undefined
  /** Undefined for the usual one. */
  order: DocumentOrder | undefined
  /** Undefined for the usual ones. */
  columns: readonly DocumentColumn[] | undefined
}

const LIST = '/dashboard/documents'

export const VIEWS = `${LIST}/views`

export const listAddress = (asked: Partial<Asked> & { behind?: string | undefined }): string =>
  address(LIST, asked)

/** The page where this list is kept under a name. */
export const viewsAddress = (asked: Partial<Asked>): string => address(VIEWS, asked)

const { text, state, signer, session, order } = ListDocuments.shape

const Fitting = ListDocuments.pick({
  ...{ text: true, state: true, signer: true, session: true, order: true },
}).extend({
  text: text.catch(undefined),
  state: state.catch(undefined),
  signer: signer.catch(undefined),
  session: session.catch(undefined),
  order: order.catch(undefined),
})

/** What an address asks for; what does not fit is left out. */
export function askedIn(query: URLSearchParams): Asked {
  const values = Object.fromEntries(query)
  const { text = '', state, signer, session, order } = Fitting.parse(values)
  return {
    ...{ text, state, ...documentFiltersIn(values), signer, session },
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
