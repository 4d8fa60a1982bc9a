import { FEW_BACKUP_CODES } from '#server/domain/identity/backup-code.ts'
import { formatDay, formatInstant, type Instant } from '#server/domain/time.ts'
import type { OwnFactors } from '#server/features/mfa/list-factors.ts'
import type { ListedKey } from '#server/features/mfa/list-webauthn-credentials.ts'

export type FactorsView = ReturnType<typeof factorsView>

/** The user's factors as the page shows them, dated in the office's time zone. */
export function factorsView(
  { totp, backupCodes }: OwnFactors,
  keys: readonly ListedKey[],
  zone: string,
) {
  const isOn = totp !== null || keys.length > 0
  const left = backupCodes?.left ?? 0
  return {
    isOn,
    keys: keys.map(({ id, name, model, createdAt, lastUsedAt, state }) => ({
      id,
      name,
      isSuspect: state === 'suspect',
      facts: `${model} · agregada el ${formatDay(createdAt, zone)} · ${lastUse(lastUsedAt, zone)}`,
    })),
    app: totp && {
      facts: `Agregada el ${formatDay(totp.since, zone)} · ${lastUse(totp.lastUsed ?? null, zone)}`,
    },
    codes: backupCodes && {
      facts: `Quedan ${left} de ${backupCodes.total} · creados el ${formatDay(backupCodes.createdAt, zone)}`,
    },
    fewCodes: isOn && left <= FEW_BACKUP_CODES ? fewCodes(left) : undefined,
  }
}

export const lastUse = (at: Instant | null, zone: string) =>
  at === null ? 'sin usar todavía' : `último uso: ${formatInstant(at, zone)}`

function fewCodes(left: number): string {
  if (left === 0) return 'Ya no le quedan códigos de respaldo.'
  return left === 1 ? 'Le queda un código de respaldo.' : `Le quedan ${left} códigos de respaldo.`
}
