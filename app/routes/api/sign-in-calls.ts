import {
  clearSignInCookie,
  sessionCookies,
  signInCookie,
} from '#app/http/cookies/session-cookies.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { toTimestamp } from '#server/domain/time.ts'
import { signIn } from '#server/features/auth/sign-in.ts'
import { beginWebauthnAuthentication } from '#server/features/mfa/begin-webauthn-authentication.ts'
import { stepUp } from '#server/features/mfa/step-up.ts'
import { verifySecondFactor } from '#server/features/mfa/verify-second-factor.ts'
import { type CallArgs, defineCall, type Reply } from './define-call.ts'
import {
  beginWebAuthnAuthenticationRequest,
  beginWebAuthnAuthenticationResponse,
  finishWebAuthnAuthenticationRequest,
} from './factor-schemas.ts'
import { pendingSignIn, signInExpired } from './pending-sign-in.ts'
import { Refused } from './refused.ts'
import { refusedFactor } from './refused-factor.ts'
import { ownSession } from './session-calls.ts'
import { shownMethod, signedInAs } from './shown.ts'
import {
  type LoginResponse,
  loginRequest,
  loginResponse,
  verifyMfaRequest,
} from './sign-in-schemas.ts'
import { invalid } from './validate.ts'

export const login = defineCall({
  name: 'login',
  method: 'POST',
  template: '/auth/login',
  summary: 'Signs in with a password. The tokens come as cookies; a second factor may come first.',
  access: 'proof',
  request: loginRequest,
  response: loginResponse,
  refusals: [401, 429],
  async reply({ system, actor, body }): Promise<Reply<LoginResponse>> {
    const outcome = await signIn(system, actor, body)
    switch (outcome.kind) {
      case 'refused':
        throw new Refused({
          status: 401,
          code: 'wrong-credentials',
          detail: 'El correo o la contraseña no son correctos.',
        })
      case 'second-factor-next': {
        const { id, methods, expiresAt } = outcome.signIn
        const body: LoginResponse = {
          requiresMFA: true,
          mfaSessionToken: id,
          mfaMethods: methods.map(shownMethod),
          mfaExpiresAt: toTimestamp(expiresAt),
          requiredAction: null,
        }
        return { body, cookies: [signInCookie(outcome.token)] }
      }
      case 'signed-in':
        return signedInReply(system, outcome)
    }
  },
})

export const verifyMfa = defineCall({
  name: 'verifyMfa',
  method: 'POST',
  template: '/auth/verify-mfa',
  summary:
    'Checks a code: to complete a sign-in or, within a session, to confirm the user’s identity.',
  access: 'proof',
  request: verifyMfaRequest,
  response: loginResponse,
  refusals: [401, 429],
  async reply(args) {
    const { mfaMethod, code } = args.body
    if (mfaMethod === 'MFA_METHOD_WEBAUTHN')
      throw invalid({ mfaMethod: ['Una llave se muestra en webauthn/authenticate.'] })
    const isTotp =
      mfaMethod === 'MFA_METHOD_TOTP' ||
      (mfaMethod === 'MFA_METHOD_UNSPECIFIED' && /^\d{6}$/.test(code.replace(/\s/g, '')))
    return await show(args, { method: isTotp ? 'TOTP' : 'BACKUP_CODE', code })
  },
})

export const beginAuthentication = defineCall({
  name: 'beginWebAuthnAuthentication',
  method: 'POST',
  template: '/auth/webauthn/authenticate/begin',
  summary:
    'Returns the options to use a security key: to complete a sign-in or to confirm the user’s identity.',
  access: 'proof',
  request: beginWebAuthnAuthenticationRequest,
  response: beginWebAuthnAuthenticationResponse,
  refusals: [401],
  async reply(args) {
    const { system, actor } = args
    const signInToken = await pendingSignIn(args)
    // The call concerns the pending sign-in, even if the browser has an older session.
    const caller = signInToken ? { ...actor, kind: 'anonymous' as const } : actor
    const publicKey = await beginWebauthnAuthentication(system, caller, { signInToken })
    return { body: { publicKey } }
  },
})

export const finishAuthentication = defineCall({
  name: 'finishWebAuthnAuthentication',
  method: 'POST',
  template: '/auth/webauthn/authenticate/finish',
  summary: 'Checks the response of a security key.',
  access: 'proof',
  request: finishWebAuthnAuthenticationRequest,
  response: loginResponse,
  refusals: [401, 429],
  async reply(args) {
    return await show(args, { method: 'WEBAUTHN', response: args.body.credential })
  },
})

type ProofArgs = Parameters<typeof pendingSignIn>[0]
type System = ProofArgs['system']

async function show(
  args: ProofArgs,
  shown: Parameters<typeof verifySecondFactor>[3],
): Promise<Reply<LoginResponse>> {
  const { system, actor } = args
  const token = await pendingSignIn(args)
  if (!token) return await confirm(args, shown)
  const outcome = await verifySecondFactor(system, actor, token, shown)
  switch (outcome.kind) {
    case 'gone':
      throw signInExpired()
    case 'refused':
      throw refusedFactor(shown.method, outcome)
    case 'signed-in':
      return signedInReply(system, outcome)
  }
}

async function confirm(
  { system, actor }: CallArgs<unknown, unknown, unknown>,
  shown: Parameters<typeof stepUp>[2],
): Promise<Reply<LoginResponse>> {
  const person = mustBeSignedIn(actor)
  const outcome = await stepUp(system, person, shown)
  if (outcome.kind === 'refused') throw refusedFactor(shown.method, outcome)
  return {
    body: signedInAs(person, await ownSession(system, person), person.duty),
    cookies: sessionCookies(outcome.tokens, system.clock.now()),
  }
}

type SignedIn = Extract<Awaited<ReturnType<typeof verifySecondFactor>>, { kind: 'signed-in' }>

function signedInReply(
  system: System,
  { tokens, session, user, duty }: SignedIn,
): Reply<LoginResponse> {
  return {
    body: signedInAs(user, session, duty),
    cookies: [...sessionCookies(tokens, system.clock.now()), clearSignInCookie()],
  }
}
