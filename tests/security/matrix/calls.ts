import type { Asked, Rule } from './request.ts'
import type { ActorName, Credentials, Things } from './world.ts'

type To = string | ((things: Things, actor: Credentials) => string)
export type AskedCall = Asked & { method: 'GET' | 'POST' | 'PUT' | 'DELETE' }

const call = (
  rule: Rule,
  method: AskedCall['method'],
  path: To,
  {
    body,
    done = 200,
    whose = 'own',
  }: { body?: unknown; done?: Asked['done']; whose?: Asked['whose'] } = {},
): AskedCall => ({
  ...{ rule, method, whose, done },
  to: (...args) => `/api/v1/${typeof path === 'string' ? path : path(...args)}`,
  ...(body !== undefined && { sent: { kind: 'json', body } }),
})

const WRONG_PASSWORD = 'no es la contraseña de nadie'
const UNKNOWN = { email: 'nadie@notaria.example', password: WRONG_PASSWORD }
const KEY = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} }
const ASSERTION = {
  ...KEY,
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
}
const ATTESTATION = { ...KEY, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }
const PREPARED = '00000000-0000-4000-8000-000000000000'
const SIGNATURE = Buffer.alloc(256, 1).toString('base64')

const credential = (_: Things, { own }: Credentials) =>
  `auth/webauthn/credentials/${own.key || PREPARED}`

/** One has no factor to change. */
const ifKept = (done: number) => (actor: ActorName) => (actor === 'without-factor' ? 404 : done)
const hasKey = (actor: ActorName) => !/guest|program|stranger|without-factor/.test(actor)

/** What each call of the API answers, by its operation. */
export const CALLS: Readonly<Record<string, AskedCall>> = {
  changePassword: call('password.change-own', 'POST', 'auth/change-password', {
    body: { currentPassword: WRONG_PASSWORD, newPassword: 'tortuga verde sobre el tejado' },
    done: 422,
  }),
  getHealth: call('open', 'GET', 'auth/health'),
  login: call('open', 'POST', 'auth/login', { body: UNKNOWN, done: 401 }),
  logout: call('open', 'POST', 'auth/logout', { body: {}, done: 204 }),
  regenerateBackupCodes: call('factors.manage-own', 'POST', 'auth/mfa/backup-codes/regenerate', {
    body: {},
    // They replace a factor, and one has none.
    done: (actor) => (actor === 'without-factor' ? 403 : 200),
  }),
  disableTotp: call('factors.manage-own', 'POST', 'auth/mfa/totp/disable', {
    body: {},
    done: ifKept(204),
  }),
  enableTotp: call('factors.manage-own', 'POST', 'auth/mfa/totp/enable', { body: {} }),
  verifyTotpSetup: call('factors.manage-own', 'POST', 'auth/mfa/totp/verify-setup', {
    body: { code: '000000' },
    done: 409,
  }),
  refreshToken: call('person', 'POST', 'auth/refresh', { body: {} }),
  getSession: call('sessions.read-own', 'GET', 'auth/session'),
  validateSession: call('open', 'GET', 'auth/session/validate'),
  listSessions: call('sessions.read-own', 'GET', 'auth/sessions'),
  terminateAllSessions: call('sessions.end-own', 'POST', 'auth/sessions/terminate-all', {
    body: {},
  }),
  terminateSession: call(
    'sessions.end-own',
    'DELETE',
    (_, { own }) => `auth/sessions/${own.otherSession || PREPARED}`,
    { done: 204 },
  ),
  verifyMfa: call('open', 'POST', 'auth/verify-mfa', { body: { code: '000000' }, done: 401 }),
  // For a step-up, or for the second step of a sign-in that the call names.
  beginWebAuthnAuthentication: call('open', 'POST', 'auth/webauthn/authenticate/begin', {
    body: {},
    done: (actor) => (hasKey(actor) ? 200 : 401),
  }),
  finishWebAuthnAuthentication: call('open', 'POST', 'auth/webauthn/authenticate/finish', {
    body: { credential: ASSERTION },
    done: 401,
  }),
  listWebAuthnCredentials: call('factors.read-own', 'GET', 'auth/webauthn/credentials'),
  removeWebAuthnCredential: call('factors.manage-own', 'DELETE', credential, {
    done: ifKept(204),
  }),
  updateWebAuthnCredential: call('factors.manage-own', 'PUT', credential, {
    body: { name: 'Otra' },
    done: ifKept(200),
  }),
  beginWebAuthnRegistration: call('factors.manage-own', 'POST', 'auth/webauthn/register/begin', {
    body: {},
  }),
  finishWebAuthnRegistration: call('factors.manage-own', 'POST', 'auth/webauthn/register/finish', {
    body: { credential: ATTESTATION },
    done: 422,
  }),
  listTurns: call('program', 'GET', 'signing/turns'),
  prepareSignature: call(
    'program',
    'POST',
    ({ awaited }) => `signing/documents/${awaited}/prepare`,
    { body: { version: 2, certificate: 'AAAA' }, done: 422, whose: 'office' },
  ),
  completeSignature: call('program', 'POST', `signing/prepared/${PREPARED}/complete`, {
    body: { signature: SIGNATURE },
    done: 404,
  }),
  getOpenApi: call('person', 'GET', 'openapi.json'),
}
