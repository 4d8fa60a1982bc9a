import type { NewEvent } from '#server/db/audit/audit-events.ts'
import type { Anonymous, Origin } from '#server/domain/identity/actor.ts'
import type { OfficeId } from '#server/domain/ids.ts'

/** The origin of a request alone, for the log of an office that must not learn about the account in another one. */
export const originOf = ({ ip, device, requestId, browser }: Origin): Anonymous => ({
  ...{ kind: 'anonymous', ip, device, requestId, browser },
})

/** Events of several logs: each takes the lock of its log, and all transactions take them in this order. */
export const inOrderOfOffices = <Event extends NewEvent & { officeId: OfficeId }>(
  events: readonly Event[],
): Event[] => events.toSorted((one, other) => (one.officeId < other.officeId ? -1 : 1))
