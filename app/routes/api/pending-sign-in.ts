import { readCookie } from '#app/http/cookies/cookies.ts'
import { clearSignInCookie } from '#app/http/cookies/session-cookies.ts'
import { Token } from '#server/domain/crypto/token.ts'
import type { SignInId } from '#server/domain/ids.ts'
import { readSignIn } from '#server/features/auth/read-sign-in.ts'
import type { CallArgs } from './define-call.ts'
import { Refused } from './refused.ts'

type ProofArgs = CallArgs<unknown, unknown, { mfaSessionToken?: SignInId | undefined }>

/**
 * Returns the token of the sign-in that the second factor completes; undefined if the user is signed in
 * already and confirms their identity.
 *
 * @throws {Refused} 401 without either, or if the named sign-in belongs to another browser
 */
export async function pendingSignIn(args: ProofArgs): Promise<Token | undefined> {
  const { system, actor, request, body } = args
  const token = Token.safeParse(readCookie(request, '__Host-sign-in'))
  const signIn = token.success ? await readSignIn(system, token.data) : undefined
  const isNamed = body.mfaSessionToken === undefined || body.mfaSessionToken === signIn?.id
  if (token.success && signIn?.state === 'pending' && isNamed) return token.data
  if (body.mfaSessionToken === undefined && actor.kind === 'person') return undefined
  throw signInExpired()
}

export const signInExpired = () =>
  new Refused(
    {
      status: 401,
      code: 'sign-in-gone',
      detail: 'La verificación venció o se agotaron los intentos. Inicie sesión de nuevo.',
    },
    { cookies: [clearSignInCookie()] },
  )
