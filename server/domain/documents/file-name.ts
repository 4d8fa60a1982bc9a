import { z } from 'zod'

/**
 * The name of an uploaded file, safe to display and to offer for download: without folders, control characters,
 * direction overrides and characters that Windows forbids.
 */
export const FileName = z
  .string()
  .transform((name) => name.normalize('NFC').split(/[\\/]/).at(-1) ?? '')
  .transform((name) => name.replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '').trim())
  .transform((name) => [...name].slice(0, 200).join('') || 'documento.pdf')
export type FileName = z.infer<typeof FileName>
