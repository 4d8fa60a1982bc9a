import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { refusalOf } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import {
  type RatePasswordStrength,
  ratePasswordStrength,
} from '#server/features/auth/rate-password-strength.ts'
import { TypedPassword } from '#server/features/auth/typed-password.ts'
import { wordOfScore } from '#server/words/password.ts'

/** The two fields of a new password; the use case judges its strength. */
export const newPasswordFields = {
  newPassword: withSentence(
    TypedPassword,
    'Escriba una contraseña nueva de al menos 15 caracteres.',
  ),
  confirmPassword: z.string().max(512),
}

type Typed = { newPassword: string; confirmPassword: string }

/** For `refine`: both passwords match, however the keyboard composes accents. */
export const isTypedTwice = ({ newPassword, confirmPassword }: Typed) =>
  newPassword.normalize('NFKC') === confirmPassword.normalize('NFKC')

export const TYPED_TWICE = {
  path: ['confirmPassword'],
  message: 'Las dos contraseñas no son iguales. Escriba la misma en ambos campos.',
}

/**
 * Returns the strength of the refused password for the meter of the form, or undefined if it was refused
 * for another reason: praise would contradict the refusal.
 */
export async function strengthOf(
  context: Readonly<RouterContextProvider>,
  input: RatePasswordStrength,
): Promise<{ score: number; sentence: string } | undefined> {
  const rated = await refusalOf(
    ratePasswordStrength(context.get(systemContext), context.get(actorContext), input),
  )
  if (!rated.ok) return undefined
  const { score, weakness } = rated.value
  if (!weakness) return undefined
  return { score, sentence: wordOfScore(score) }
}
