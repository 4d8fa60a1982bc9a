import { address } from '#app/ui/text/address.ts'
import type { DocumentState } from '#server/domain/documents/document.ts'
import type { DocumentFilters } from '#server/domain/documents/document-filters.ts'
import type { DocumentColumn, DocumentOrder } from '#server/domain/documents/document-list.ts'
import type { SigningSessionId, UserId } from '#server/domain/ids.ts'

/** What the address of the list asks for, without the place in it. */
export type Asked = DocumentFilters & {
  /** Empty for none. */
  text: string
  state: DocumentState | undefined
  /** A user of the office. */
  signer: UserId | undefined
  signingSession: SigningSessionId | undefined
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
