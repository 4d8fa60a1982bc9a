import type { Document, DocumentKind } from '#server/domain/documents/document.ts'
import { type Duration, type Instant, milliseconds } from '#server/domain/time.ts'
import { addDuration, type Durations } from './durations.ts'
import type { Month } from './month.ts'

export type SignedDocument = Pick<Document, 'kind'> & {
  uploadedAt: Instant
  /** Of the last signature. */
  signedAt: Instant
}

/** How long documents that were completed in a period took. */
export type SigningTimes = {
  /** From the upload to the last signature. */
  kinds: Partial<Record<DocumentKind, Durations>>
  /** The same by the month of the last signature. */
  months: Partial<Record<Month, Durations>>
  /** From the opening of a signing session to its last signature. */
  sessions: Durations
}

export const noTimes = (): SigningTimes => ({ kinds: {}, months: {}, sessions: {} })

export function countSigned(
  times: SigningTimes,
  { kind, uploadedAt, signedAt }: SignedDocument,
  monthOf: (at: Instant) => Month,
): void {
  const duration = milliseconds(signedAt - uploadedAt)
  times.kinds[kind] ??= {}
  addDuration(times.kinds[kind], duration)
  const month = monthOf(signedAt)
  const ofMonth = times.months[month] ?? {}
  times.months[month] = ofMonth
  addDuration(ofMonth, duration)
}

export const countSession = (times: SigningTimes, duration: Duration): void =>
  addDuration(times.sessions, duration)
