import { systemClock } from '#server/adapters/clock.ts'
import { createTimestampAuthorities } from '#server/adapters/timestamp-authorities.ts'
import type { LEVEL_OPTIONS } from '#server/cli/commands/command-options.ts'
import { secretFromEnvironment } from '#server/config.ts'
import { anyNetwork } from '#server/domain/outgoing-networks.ts'
import { ProviderAddress } from '#server/domain/timestamp/service-provider.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { TimestampAuthority } from '#server/ports/timestamp-authorities.ts'
import { reasonOfTimestampFailure } from '#server/words/timestamp-failures.ts'
import { Refused } from './opened-key.ts'
import { UsageError } from './usage.ts'

const LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const

/** The requested level, and the authority for its timestamps. */
export type LevelOrder = { level: (typeof LEVELS)[number]; authority: TimestampAuthority | null }

/** @throws {UsageError} */
export function readLevelOrder(
  values: Partial<Record<keyof typeof LEVEL_OPTIONS, string>>,
): LevelOrder {
  const { tsa, 'tsa-user': username, 'tsa-password-env': variable } = values
  const level = LEVELS.find((one) => one === (values.level ?? (tsa ? 'B-T' : 'B-B')))
  if (!level) throw new UsageError('--level es B-B, B-T, B-LT o B-LTA.')
  if (!tsa) {
    if (level !== 'B-B') throw new UsageError(`Para ${level} falta --tsa.`)
    return { level, authority: null }
  }
  if (!ProviderAddress.safeParse(tsa).success)
    throw new UsageError('--tsa es una dirección http:// o https://.')
  const password = variable === undefined ? undefined : secretFromEnvironment(variable)
  if ((username === undefined) !== (variable === undefined) || (variable && !password))
    throw new UsageError('--tsa-user y --tsa-password-env van juntos, con una contraseña.')
  const login = username && password ? { username, password } : null
  return { level, authority: { id: tsa, name: tsa, url: tsa, login, policy: null } }
}

/** The authority's timestamp token over this SHA-256. @throws {Refused} */
export async function stampOf(
  digest: Uint8Array,
  authority: TimestampAuthority,
  policy: VerificationPolicy,
): Promise<Uint8Array> {
  const authorities = createTimestampAuthorities({ networks: anyNetwork, clock: systemClock })
  const outcome = await authorities.stamp(digest, [authority], policy)
  if (outcome.kind === 'stamped') return outcome.token
  const reason = outcome.failures.map(reasonOfTimestampFailure).join(', ')
  throw new Refused(`La autoridad no dio el sello de tiempo (${reason}). No se firmó nada.`)
}
