import { z } from 'zod'
import { AnswerOfKey } from '#app/http/answer-of-key.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { PresentDocuments } from '#server/features/presence/find-shown.ts'

/** A field that holds JSON. */
const Json = z
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

/** The form of the presence page. */
export const PresenceForm = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('TOTP'),
    code: withSentence(z.string().trim().min(1).max(100), 'Escriba los seis dígitos del código.'),
    documents: Json.pipe(PresentDocuments),
  }),
  z.object({
    method: z.literal('WEBAUTHN'),
    response: withSentence(AnswerOfKey, 'La llave no respondió. Intente de nuevo.'),
  }),
])
