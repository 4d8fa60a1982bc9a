import { z } from 'zod'
import {
  ConstanciaId,
  DocumentId,
  OfficeId,
  ServiceProviderId,
  Sha256,
  UserId,
} from '#server/domain/ids.ts'
import { after, type Duration, hours, Instant, minutes } from '#server/domain/time.ts'

/**
 * `pending`: requested, and retried until it is issued. `failed`: the provider refused it, or there were too many
 * attempts; a user can request it again.
 */
export const ConstanciaState = z.enum(['pending', 'issued', 'failed'])
export type ConstanciaState = z.infer<typeof ConstanciaState>

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** The constancia de conservación over one file; at most one per file, because each costs money. */
export const Constancia = z.object({
  id: ConstanciaId,
  officeId: OfficeId,
  documentId: DocumentId,
  /** The version of the file. */
  version: z.int().positive(),
  sha256: Sha256,
  state: ConstanciaState,
  requestedAt: Instant,
  /** Null if the office's policy requested it. */
  requestedBy: UserId.nullable(),
  /** Number of requests sent. */
  attempts: z.int().nonnegative(),
  /** When to try again; null for never. */
  nextAttemptAt: Instant.nullable(),
  /** Why the last attempt failed, es-MX. */
  lastError: z.string().nullable(),
  /** The provider that received `request`; null before the first attempt. */
  providerId: ServiceProviderId.nullable(),
  /** The TimeStampReq (DER), the same at each attempt, so that a provider recognizes a repetition. */
  request: Bytes.nullable(),
  /** The answer over our file, as received; trusted only if the state is `issued`. */
  answer: Bytes.nullable(),
  /** The time of an issued constancia. */
  time: Instant.nullable(),
  policy: z.string().nullable(),
  authority: z.string().nullable(),
  issuedAt: Instant.nullable(),
  /** What it cost when it was issued, in centavos; null if the provider had no cost then. */
  cost: z.int().nonnegative().nullable(),
})
export type Constancia = z.infer<typeof Constancia>

/** Twice a provider's timeout: until then no other process sends the request. */
export const ATTEMPT_LEASE: Duration = minutes(2)

/* With the pauses below, more than a month. */
const MOST_ATTEMPTS = 120

const PAUSES = [minutes(1), minutes(5), minutes(15), hours(1), hours(3)]
const LONGEST_PAUSE = hours(8)

/** The state after a failed attempt. */
export function afterFailedAttempt(
  { attempts }: Pick<Constancia, 'attempts'>,
  { reason, isFinal, now }: { reason: string; isFinal: boolean; now: Instant },
): Pick<Constancia, 'state' | 'nextAttemptAt' | 'lastError'> {
  if (isFinal || attempts >= MOST_ATTEMPTS)
    return { state: 'failed', nextAttemptAt: null, lastError: reason }
  const pause = PAUSES[attempts - 1] ?? LONGEST_PAUSE
  return { state: 'pending', nextAttemptAt: after(now, pause), lastError: reason }
}
