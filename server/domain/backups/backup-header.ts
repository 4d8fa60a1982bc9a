import { z } from 'zod'
import { Instant } from '#server/domain/time.ts'

export const BackupId = z.uuid().brand<'BackupId'>()
export type BackupId = z.infer<typeof BackupId>

/** The first entry of a backup: which it is, and what it stands on. */
export const BackupHeader = z.strictObject({
  /** Grows when an older release could not read what is written. */
  format: z.literal(1),
  id: BackupId,
  madeAt: Instant,
  /** The last migration of the database. */
  step: z.string().regex(/^\d{4}-[a-z0-9-]{1,60}$/),
  /** The backup without whose files this one is not whole; null for a whole one. */
  since: z.strictObject({ id: BackupId, madeAt: Instant }).nullable(),
})
export type BackupHeader = z.infer<typeof BackupHeader>

const encoder = new TextEncoder()

export const writeBackupHeader = (header: BackupHeader): Uint8Array =>
  encoder.encode(`${JSON.stringify(header, null, 2)}\n`)

/** @returns undefined if the bytes are none that `writeBackupHeader` wrote, or of a later format */
export function readBackupHeader(bytes: Uint8Array): BackupHeader | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return BackupHeader.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
