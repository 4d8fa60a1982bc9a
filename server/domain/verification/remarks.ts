import { isLaterCertification, type Permissions } from './allowed-changes.ts'
import { type Warning, warning } from './codes/warning.ts'
import type { Change } from './report.ts'

/** Also said about a signature: the attacks that were found, broken locks, a certification that is not the first. */
export function remarksOf(signature: Permissions & { changes: readonly Change[] }): Warning[] {
  const attacks = new Set(signature.changes.flatMap(({ attack }) => (attack ? [attack] : [])))
  return [
    ...[...attacks].map((attack) => warning(`attack-${attack}`)),
    ...(signature.changes.some(({ breaksLock }) => breaksLock)
      ? [warning('locked-field-changed')]
      : []),
    ...(isLaterCertification(signature) ? [warning('certification-not-first')] : []),
  ]
}
