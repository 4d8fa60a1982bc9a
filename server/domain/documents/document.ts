import { z } from 'zod'
import { line } from '#server/domain/identity/text.ts'
import { DocumentId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { Instant } from '#server/domain/time.ts'
import { Folio } from './folio.ts'
import { Instrument } from './instrument.ts'
import { PublicLookup } from './public-lookup.ts'
import { PublicPictures } from './public-pictures.ts'
import { StampChoice } from './stamp-choice.ts'
import { VerificationCode } from './verification-code.ts'

export const DocumentKind = z.enum([
  'deed',
  'act',
  'testimony',
  'certified-copy',
  'simple-copy',
  'collation',
  'certification',
  'ratification',
  'annotation',
  'appendix',
  'letter',
  'power-of-attorney',
  'contract',
  'notice',
  'will',
  'draft',
  'other',
])
export type DocumentKind = z.infer<typeof DocumentKind>

export const DocumentState = z.enum(['draft', 'signing', 'signed', 'rejected', 'cancelled'])
export type DocumentState = z.infer<typeof DocumentState>

/** In letters. */
export const LONGEST_TITLE = 200

export const DocumentTitle = line(LONGEST_TITLE)

/** A document at its current version. Older versions are kept unchanged. */
export const Document = z.object({
  /** Also the public id of /verify/{uuid}: random, reveals nothing. */
  id: DocumentId,
  officeId: OfficeId,
  folio: Folio,
  verificationCode: VerificationCode,
  kind: DocumentKind,
  title: DocumentTitle,
  /** The instrument of the protocol; null if none or unknown. */
  instrument: Instrument.nullable(),
  state: DocumentState,
  stateSince: Instant,
  /** Null if no user did it: an external signer, a job. */
  stateBy: UserId.nullable(),
  /** Counts from 1; increments with every change of bytes. */
  version: z.int().positive(),
  createdAt: Instant,
  createdBy: UserId,
  publicLookup: PublicLookup,
  publicPictures: PublicPictures,
  /** Null if the program finds a place. Only documents that arrive signed get stamps. */
  stampChoice: StampChoice.nullable(),
  /** When its file was purged, and by which user; null while it is there. Row and events stay. */
  purged: z.object({ at: Instant, by: UserId }).nullable(),
  /** Since when its term is over and it is read by those alone who decide about it; null while it may be read. */
  blockedAt: Instant.nullable(),
})
export type Document = z.infer<typeof Document>

/** @throws {Problem} `file-purged` */
export function mustHaveFile({ id, purged }: Pick<Document, 'id' | 'purged'>): void {
  if (purged) throw new Problem('file-purged', `${id} has no file`)
}
