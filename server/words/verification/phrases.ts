import { formatDay, parseInstant } from '#server/domain/time.ts'

/** What to do about a file that arrived incomplete. */
export const DOWNLOAD_AGAIN = 'Vuelva a descargarlo o pida que se lo envíen otra vez.'

/** `20 nov 2026` for an RFC 3339 time. */
export const dayOf = (time: string) => formatDay(parseInstant(time))
