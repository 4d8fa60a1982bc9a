import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { refusalOf } from '#app/http/problems.ts'
import { worded } from '#app/http/worded.ts'
import { type RatePassword, ratePassword } from '#server/features/auth/rate-password.ts'
import { TypedPassword } from '#server/features/auth/typed-password.ts'
import { wordOfScore } from '#server/words/password.ts'

/** The two fields of a new password; whether it is a good one only the use case knows. */
export const newPasswordFields = {
  newPassword: worded(TypedPassword, 'Escriba una contraseña nueva de al menos 15 caracteres.'),
  confirmPassword: z.string().max(512),
}

type Typed = { newPassword: string; confirmPassword: string }

/** For `refine`: the same twice. However a keyboard composes an accent. */
export const isTypedTwice = ({ newPassword, confirmPassword }: Typed) =>
  newPassword.normalize('NFKC') === confirmPassword.normalize('NFKC')

export const TYPED_TWICE = {
  path: ['confirmPassword'],
  message: 'Las dos contraseñas no son iguales. Escriba la misma en ambos campos.',
}

/**
 * How good the refused password was, for the meter of the form that comes back; why stands at its field.
 * Nothing of one that was refused for another reason than being easy to guess: a praise would contradict it.
 */
export async function strengthOf(
  context: Readonly<RouterContextProvider>,
  input: RatePassword,
): Promise<{ score: number; sentence: string } | undefined> {
  const rated = await refusalOf(
    ratePassword(context.get(systemContext), context.get(actorContext), input),
  )
  if (!rated.ok) return undefined
  const { score, weakness } = rated.value
  if (!weakness) return undefined
  return { score, sentence: wordOfScore(score) }
}
