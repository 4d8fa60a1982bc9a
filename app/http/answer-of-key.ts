import { z } from 'zod'

/** The browser's answer of a security key, as the page's script wrote it into its form. */
export const AnswerOfKey = z
  .string()
  .max(60_000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'no JSON' })
      return z.NEVER
    }
  })
