import { z } from 'zod'
import { AnswerOfKey } from '#app/http/answer-of-key.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { TypedPassword } from '#server/features/auth/typed-password.ts'

/** The factors that the pages accept. */
export const Method = z.enum(['WEBAUTHN', 'TOTP', 'BACKUP_CODE', 'PASSWORD'])
export type Method = z.infer<typeof Method>

const typedCode = (sentence: string) => withSentence(z.string().trim().min(1).max(100), sentence)

/** The forms of /mfa and /step-up. */
export const Proof = z.discriminatedUnion('method', [
  z.object({ method: z.literal('TOTP'), code: typedCode('Escriba los seis dígitos del código.') }),
  z.object({
    method: z.literal('BACKUP_CODE'),
    code: typedCode('Escriba uno de sus códigos de respaldo.'),
  }),
  z.object({
    method: z.literal('WEBAUTHN'),
    response: withSentence(AnswerOfKey, 'La llave no respondió. Intente de nuevo.'),
  }),
  z.object({
    method: z.literal('PASSWORD'),
    password: withSentence(TypedPassword, 'Escriba su contraseña.'),
  }),
])
export type Proof = z.infer<typeof Proof>
