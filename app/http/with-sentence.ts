import { z } from 'zod'

/**
 * Replaces every error of the schema with `sentence` (es-MX, what to do), which may depend on the value. A default goes outside: a missing field never
 * reaches the schema inside.
 */
export function withSentence<S extends z.ZodType>(
  schema: S,
  sentence: string | ((value: unknown) => string),
) {
  return z.unknown().transform((value, context): z.output<S> => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    context.addIssue(typeof sentence === 'string' ? sentence : sentence(value))
    return z.NEVER
  })
}
