import { z } from 'zod'
import { shownText } from '#server/domain/text/shown-text.ts'

/** In characters. */
export const LONGEST_FILE_NAME = 200

/**
 * The name of an uploaded file, safe to display and to offer for download: without folders, control characters,
 * invisible characters and characters that Windows forbids.
 */
export const FileName = z
  .string()
  .transform((name) => name.split(/[\\/]/).at(-1) ?? '')
  .transform((name) => shownText(name.replace(/[\p{Cc}<>:"|?*]/gu, ''), Number.POSITIVE_INFINITY))
  .transform((name) => [...name].slice(0, LONGEST_FILE_NAME).join('') || 'documento.pdf')
export type FileName = z.infer<typeof FileName>
