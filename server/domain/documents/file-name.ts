import { z } from 'zod'

/**
 * The name that a browser gave to an uploaded file, fit to be shown and offered again: without folders,
 * control characters, direction overrides and what Windows forbids.
 */
export const FileName = z
  .string()
  .transform((name) => name.normalize('NFC').split(/[\\/]/).at(-1) ?? '')
  .transform((name) => name.replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '').trim())
  .transform((name) => [...name].slice(0, 200).join('') || 'documento.pdf')
export type FileName = z.infer<typeof FileName>
