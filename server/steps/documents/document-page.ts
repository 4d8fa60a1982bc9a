import type { Document, DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import type { DocumentOrder } from '#server/domain/documents/document-list.ts'
import type { DocumentCursor } from '#server/domain/documents/search/document-cursor.ts'
import type { OfficeId, SigningSessionId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

export type PageQuery = {
  officeId: OfficeId
  /** As people write it, see `parseSearch`; all documents without it, none if it has no letter and no digit. */
  text?: string | undefined
  state?: DocumentState | undefined
  kind?: DocumentKind | undefined
  /** Who uploaded it. */
  createdBy?: UserId | undefined
  /** A signer of a session with the document. */
  signer?: UserId | undefined
  signingSession?: SigningSessionId | undefined
  /** Of a list without a search; newest first if absent. */
  order?: DocumentOrder | undefined
  /** The first and the last instant of the upload. */
  from?: Instant | undefined
  to?: Instant | undefined
  /** The `next` of the previous page. */
  behind?: DocumentCursor | undefined
  /** Documents of a page. */
  limit: number
}

export type DocumentPage = {
  /** Exact matches first; then the newest. */
  documents: Document[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
  /** Whether the documents only have words similar to those that were asked for. */
  areSimilar: boolean
  /** Whether the search or the filter ended because it took long: the page may have fewer documents than there are. */
  wasCutShort: boolean
  /** Whether the search cannot find many documents yet: an earlier release stored them, and their texts are still to be written. */
  isIncomplete: boolean
}
