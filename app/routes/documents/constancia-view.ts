import { formatInstant, type Instant } from '#server/domain/time.ts'
import type { Constancia } from '#server/domain/timestamp/constancia.ts'
import type { ConstanciasOfDocument } from '#server/features/constancias/read-constancia.ts'

/** The constancias of a document as its page shows them, with times in the office's time zone. */
export function constanciaView(
  { current, earlier, canRequest, comesWithArchive }: ConstanciasOfDocument,
  timeZone: string,
) {
  return {
    canRequest,
    comesWithArchive,
    current: current ? oneView(current, timeZone) : null,
    earlier: earlier.filter(({ state }) => state === 'issued').map((one) => oneView(one, timeZone)),
  }
}

export type ConstanciaView = ReturnType<typeof constanciaView>

function oneView(constancia: Constancia, timeZone: string) {
  const { version, state, attempts, lastError, nextAttemptAt, time, policy, authority } = constancia
  const when = (at: Instant | null) => at && { at, text: formatInstant(at, timeZone) }
  return {
    version,
    state,
    attempts,
    lastError,
    authority,
    policy,
    requested: {
      at: constancia.requestedAt,
      text: formatInstant(constancia.requestedAt, timeZone),
    },
    next: when(nextAttemptAt),
    time: when(time),
  }
}
