import { z } from 'zod'

/** The response of a security key, in JSON, as the page's script writes it into its form. */
export const AnswerOfKey = z
  .string()
  .max(60_000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('no JSON')
      return z.NEVER
    }
  })
