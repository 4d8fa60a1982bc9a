import { clearSignInCookie, sessionCookies, signInCookie } from '#app/http/session-cookies.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { toTimestamp } from '#server/domain/time.ts'
import { signIn } from '#server/features/auth/sign-in.ts'
import { beginWebauthnAuthentication } from '#server/features/mfa/begin-webauthn-authentication.ts'
import { stepUp } from '#server/features/mfa/step-up.ts'
import { verifySecondFactor } from '#server/features/mfa/verify-second-factor.ts'
import { type Asked, defineCall, type Replied } from './define-call.ts'
import {
  beginWebAuthnAuthenticationRequest,
  beginWebAuthnAuthenticationResponse,
  finishWebAuthnAuthenticationRequest,
} from './factor-schemas.ts'
import { gone, pendingSignIn } from './pending-sign-in.ts'
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
  async reply({ system, actor, body }): Promise<Replied<LoginResponse>> {
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
        return cameIn(system, outcome)
    }
  },
})

export const verifyMfa = defineCall({
  name: 'verifyMfa',
  method: 'POST',
  template: '/auth/verify-mfa',
  summary: 'Shows a code: to end a sign-in or, within a session, to confirm who one is.',
  access: 'proof',
  request: verifyMfaRequest,
  response: loginResponse,
  refusals: [401, 429],
  async reply(asked) {
    const { mfaMethod, code } = asked.body
    if (mfaMethod === 'MFA_METHOD_WEBAUTHN')
      throw invalid({ mfaMethod: ['Una llave se muestra en webauthn/authenticate.'] })
    const isTotp =
      mfaMethod === 'MFA_METHOD_TOTP' ||
      (mfaMethod === 'MFA_METHOD_UNSPECIFIED' && /^\d{6}$/.test(code.replace(/\s/g, '')))
    return await show(asked, { method: isTotp ? 'TOTP' : 'BACKUP_CODE', code })
  },
})

export const beginAuthentication = defineCall({
  name: 'beginWebAuthnAuthentication',
  method: 'POST',
  template: '/auth/webauthn/authenticate/begin',
  summary: 'What a browser must ask a security key: to end a sign-in or to confirm who one is.',
  access: 'proof',
  request: beginWebAuthnAuthenticationRequest,
  response: beginWebAuthnAuthenticationResponse,
  refusals: [401],
  async reply(asked) {
    const { system, actor } = asked
    const signInToken = await pendingSignIn(asked)
    // The call concerns the pending sign-in, even if the browser has an older session.
    const asker = signInToken ? { ...actor, kind: 'anonymous' as const } : actor
    const publicKey = await beginWebauthnAuthentication(system, asker, { signInToken })
    return { body: { publicKey } }
  },
})

export const finishAuthentication = defineCall({
  name: 'finishWebAuthnAuthentication',
  method: 'POST',
  template: '/auth/webauthn/authenticate/finish',
  summary: 'Shows what a security key answered.',
  access: 'proof',
  request: finishWebAuthnAuthenticationRequest,
  response: loginResponse,
  refusals: [401, 429],
  async reply(asked) {
    return await show(asked, { method: 'WEBAUTHN', response: asked.body.credential })
  },
})

type Proving = Parameters<typeof pendingSignIn>[0]
type System = Proving['system']

async function show(
  asked: Proving,
  shown: Parameters<typeof verifySecondFactor>[3],
): Promise<Replied<LoginResponse>> {
  const { system, actor } = asked
  const token = await pendingSignIn(asked)
  if (!token) return await confirm(asked, shown)
  const outcome = await verifySecondFactor(system, actor, token, shown)
  switch (outcome.kind) {
    case 'gone':
      throw gone()
    case 'refused':
      throw refusedFactor(shown.method, outcome)
    case 'signed-in':
      return cameIn(system, outcome)
  }
}

async function confirm(
  { system, actor }: Asked<unknown, unknown, unknown>,
  shown: Parameters<typeof stepUp>[2],
): Promise<Replied<LoginResponse>> {
  const person = mustBeSignedIn(actor)
  const outcome = await stepUp(system, person, shown)
  if (outcome.kind === 'refused') throw refusedFactor(shown.method, outcome)
  return {
    body: signedInAs(person, await ownSession(system, person), person.duty),
    cookies: sessionCookies(outcome.tokens, system.clock.now()),
  }
}

type FirstFactorOutcome = Extract<
  Awaited<ReturnType<typeof verifySecondFactor>>,
  { kind: 'signed-in' }
>

function cameIn(
  system: System,
  { tokens, session, user, duty }: FirstFactorOutcome,
): Replied<LoginResponse> {
  return {
    body: signedInAs(user, session, duty),
    cookies: [...sessionCookies(tokens, system.clock.now()), clearSignInCookie()],
  }
}
