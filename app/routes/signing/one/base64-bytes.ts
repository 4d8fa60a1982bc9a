import { z } from 'zod'
import { fromBase64 } from '#server/domain/bytes.ts'

/** Bytes as canonical base64 in a form field. */
export const Base64Bytes = z.string().transform((text, context) => {
  try {
    return fromBase64(text)
  } catch {
    context.addIssue('not base64')
    return z.NEVER
  }
})
