import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  placeOfProviderPassword,
  type ServiceProvider,
} from '#server/domain/timestamp/service-provider.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { TimestampAuthority, TimestampOutcome } from '#server/ports/timestamp-authorities.ts'
import { compareClock } from '#server/steps/alerts/compare-clock.ts'
import { noteProviderAnswers } from '#server/steps/alerts/provider-alarms.ts'
import type { System } from '#server/system.ts'

/** The dependencies to request a timestamp. */
export type Stamping = Pick<System, 'db' | 'clock' | 'vault' | 'timestamps' | 'settings'>

/**
 * Requests a timestamp from the office's authorities, in order, until one answers, compares our clock with its time, and notes
 * which of them are down. Never call it inside a transaction.
 *
 * @param digest SHA-256 of the stamped bytes
 */
export async function requestTimestamp(
  system: Stamping,
  { id }: Pick<Office, 'id'>,
  digest: Uint8Array,
  policy: VerificationPolicy,
): Promise<TimestampOutcome> {
  const providers = await listServiceProviders(system.db, id, 'timestamp')
  const asked = providers.map((provider) => authorityOf(system, provider))
  const usable = asked.filter((one) => one.kind === 'usable').map(({ authority }) => authority)
  const unusable = asked.flatMap((one) => (one.kind === 'unusable' ? [one.failure] : []))
  const outcome = await system.timestamps.stamp(digest, usable, policy)
  const failures = [...unusable, ...outcome.failures]
  const failed = new Set(failures.map((failure) => failure.id))
  if (outcome.kind === 'stamped') {
    await compareClock(system, id, outcome.time)
    await noteProviderAnswers(system, providers, { failed, answered: outcome.byId })
  } else await noteProviderAnswers(system, providers, { failed })
  return { ...outcome, failures }
}

/** An authority whose password cannot be unsealed is treated as down. */
function authorityOf({ vault }: Stamping, provider: ServiceProvider) {
  const { id, name, url, username, sealed, policy } = provider
  const bare: TimestampAuthority = { id, name, url, login: null, policy }
  if (username === null || !sealed) return { kind: 'usable', authority: bare } as const
  try {
    const plain = vault.open(sealed, placeOfProviderPassword(provider))
    const password = new TextDecoder().decode(plain)
    return { kind: 'usable', authority: { ...bare, login: { username, password } } } as const
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { kind: 'unusable', failure: { id, name, reason: error.code, isSilent: false } } as const
  }
}
