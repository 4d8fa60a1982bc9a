import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { after, type Instant, minutes } from '#server/domain/time.ts'
import type { TimestampAuthorities, TimestampFailure } from '#server/ports/timestamp-authorities.ts'
import { noteProviderAnswers } from '#server/steps/alerts/provider-alarms.ts'
import type { System } from '#server/system.ts'

/** So long an address that did not answer is not asked again: each request costs its whole timeout. */
const SILENCE = minutes(5)

type Silent = Map<string, { until: Instant; reason: string }>

/** What one run of a job asks: authorities that leave out those that do not answer. */
export type Asking = {
  /** The same authorities; one whose address did not answer a moment ago fails at once, for every office that uses it. */
  timestamps: TimestampAuthorities
  /** Whether no authority of an office would be asked now. It counts as a failure of each of them. */
  areAllSilent(officeId: OfficeId): Promise<boolean>
}

/** Of fifty offices that use one dead authority, one waits for it, and the others go to their next attempt at once. */
export function leaveSilentAuthorities(
  system: Pick<System, 'db' | 'clock' | 'timestamps'>,
): Asking {
  const { db, clock, timestamps } = system
  const silent: Silent = new Map()
  const silenceOf = (url: string) => {
    const silence = silent.get(url)
    return silence && clock.now() < silence.until ? silence : undefined
  }

  return {
    timestamps: {
      async stamp(digest, authorities, policy) {
        const left = authorities.flatMap(({ id, name, url }): TimestampFailure[] => {
          const silence = silenceOf(url)
          return silence ? [{ id, name, reason: silence.reason, isSilent: true }] : []
        })
        const asked = authorities.filter(({ url }) => !silenceOf(url))
        const outcome = await timestamps.stamp(digest, asked, policy)
        const until = after(clock.now(), SILENCE)
        for (const { id, reason, isSilent } of outcome.failures) {
          const url = asked.find((authority) => authority.id === id)?.url
          if (isSilent && url) silent.set(url, { until, reason })
        }
        return { ...outcome, failures: [...left, ...outcome.failures] }
      },
    },
    async areAllSilent(officeId) {
      if (silent.size === 0) return false
      const providers = await listServiceProviders(db, officeId, 'timestamp')
      if (!providers.every(({ url }) => silenceOf(url))) return false
      const failed = new Set<string>(providers.map(({ id }) => id))
      await noteProviderAnswers(system, providers, { failed })
      return true
    },
  }
}
