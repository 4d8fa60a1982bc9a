import { address } from '#app/ui/text/address.ts'
import type { DocumentState } from '#server/domain/documents/document.ts'
import type { DocumentFilters } from '#server/domain/documents/document-filters.ts'

/** What the address of the list asks for, without the place in it. */
export type Asked = DocumentFilters & {
  /** Empty for none. */
  text: string
  state: DocumentState | undefined
}

export const listAddress = (asked: Partial<Asked> & { behind?: string | undefined }): string =>
  address('/dashboard/documents', asked)
