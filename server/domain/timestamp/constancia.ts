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

/** The constancia of conservation over one file: there is never a second one, because each is paid for. */
export const Constancia = z.object({
  id: ConstanciaId,
  officeId: OfficeId,
  documentId: DocumentId,
  /** The version whose file it is over. */
  version: z.int().positive(),
  sha256: Sha256,
  state: ConstanciaState,
  requestedAt: Instant,
  /** Null: the policy of the office asked. */
  requestedBy: UserId.nullable(),
  /** How often a provider was asked. */
  attempts: z.int().nonnegative(),
  /** From when on it is tried again; null when it is not. */
  nextAttemptAt: Instant.nullable(),
  /** es-MX: why the last attempt brought nothing. */
  lastError: z.string().nullable(),
  /** The provider that got `request`; null before the first attempt. */
  providerId: ServiceProviderId.nullable(),
  /** DER of the TimeStampReq, the same at each attempt: by it a provider knows what it gave already. */
  request: Bytes.nullable(),
  /** What came back and is over our file, as it came; believed only when the state is `issued`. */
  answer: Bytes.nullable(),
  /** What it says, of one that was issued. */
  time: Instant.nullable(),
  policy: z.string().nullable(),
  authority: z.string().nullable(),
  issuedAt: Instant.nullable(),
})
export type Constancia = z.infer<typeof Constancia>

/** Twice the time that a provider has for its answer: until then no other process asks. */
export const ATTEMPT_LEASE: Duration = minutes(2)

/** From so many attempts in vain on the office is warned. */
export const ATTEMPTS_BEFORE_ALARM = 3

/* With the pauses below it is tried for more than a month. */
const MOST_ATTEMPTS = 120

const PAUSES = [minutes(1), minutes(5), minutes(15), hours(1), hours(3)]
const LONGEST_PAUSE = hours(8)

/** How it stands after an attempt in vain. */
export function afterVainAttempt(
  { attempts }: Pick<Constancia, 'attempts'>,
  { reason, isFinal, now }: { reason: string; isFinal: boolean; now: Instant },
): Pick<Constancia, 'state' | 'nextAttemptAt' | 'lastError'> {
  if (isFinal || attempts >= MOST_ATTEMPTS)
    return { state: 'failed', nextAttemptAt: null, lastError: reason }
  const pause = PAUSES[attempts - 1] ?? LONGEST_PAUSE
  return { state: 'pending', nextAttemptAt: after(now, pause), lastError: reason }
}
