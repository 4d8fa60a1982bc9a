import { formatInstant } from '#server/domain/time.ts'
import type { BackupState } from '#server/features/backups/find-backup-state.ts'

export type BackupView = ReturnType<typeof backupView>

/** The backups of the installation in es-MX, in the office's time zone. */
export function backupView({ last, dueAt, isOverdue }: BackupState, zone: string) {
  return {
    state: stateOf(last !== undefined, dueAt !== null, isOverdue),
    last: last && formatInstant(last.madeAt, zone),
    content:
      last &&
      `${last.since === null ? 'Toda la notaría' : 'Lo nuevo desde el anterior'}, ${sizeOf(last.bytes)}`,
    missing: last && last.missing > 0 ? last.missing : null,
    due: dueAt === null ? null : formatInstant(dueAt, zone),
  }
}

function stateOf(hasBackup: boolean, isWatched: boolean, isOverdue: boolean) {
  if (isOverdue) return { tone: 'bad', word: hasBackup ? 'Atrasado' : 'Sin respaldo' } as const
  if (!hasBackup) return { tone: isWatched ? 'wait' : 'note', word: 'Sin respaldo' } as const
  return { tone: 'good', word: 'Al corriente' } as const
}

const MEGABYTE = 1_048_576

const sizeOf = (bytes: number) =>
  bytes < MEGABYTE ? 'menos de 1 MB' : `${Math.round(bytes / MEGABYTE).toLocaleString('es-MX')} MB`
