import { formatDay, formatInstant, parseInstant } from '#server/domain/time.ts'

/** What to do about a file that arrived incomplete. */
export const DOWNLOAD_AGAIN = 'Vuelva a descargarlo o pida que se lo envíen otra vez.'

/** `20 nov 2026` for an RFC 3339 time. */
export const dayText = (time: string, zone?: string) => formatDay(parseInstant(time), zone)

/** `20 nov 2026, 09:05 (hora del centro)` for an RFC 3339 time. */
export const timeText = (time: string, zone?: string) => formatInstant(parseInstant(time), zone)
