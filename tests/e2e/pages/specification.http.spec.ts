import {
  type Answer,
  contractOf,
  type Method,
  type Program,
  programOf,
} from '#tests/e2e/support/api.ts'
import { expect } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { allowNextCode, test as base, type Newcomer } from '#tests/e2e/support/newcomers.ts'
import type { OfficeDatabase } from '#tests/e2e/support/office-database.ts'
import { MENU, ROLES } from '#tests/e2e/support/site-map.ts'
import { codeAt } from '#tests/support/keys/authenticator-app.ts'
import { softwareAuthenticator } from '#tests/support/keys/software-authenticator.ts'

/* Each title quotes the specification. Every answer is checked against the served description. */

type Visit = {
  newcomer: Newcomer
  rows: OfficeDatabase
  origin: string
  /** Another program, without cookies. */
  stranger(): Program
}
type Fixtures = { visit: Visit; one: Program; described: ReturnType<typeof contractOf>['document'] }

/** `one` is a client in which the newcomer has signed in. */
const test = base.extend<Fixtures>({
  described: async ({ demo }, use) => {
    const served = await fetch(`${demo.origin}/api/v1/openapi.json`)
    await use((await served.json()) as Fixtures['described'])
  },
  visit: async ({ demo: { origin }, described, newcomer, rows }, use) => {
    const contract = contractOf(described)
    await use({ newcomer, rows, origin, stranger: () => programOf(origin, contract) })
  },
  one: async ({ visit }, use) => {
    const one = visit.stranger()
    await one.call('POST', 'login', credentials(visit))
    await use(one)
  },
})

const credentials = ({ newcomer: { email, password } }: Visit) => ({ email, password })

async function withApp(one: Program, { rows, newcomer }: Visit) {
  const { secret } = (await one.call('POST', 'mfa/totp/enable')).body
  const code = codeAt(secret, Date.now() as never)
  const verified = await one.call('POST', 'mfa/totp/verify-setup', { code })
  allowNextCode(rows, newcomer)
  return { verified, code }
}

async function withKey(one: Program, { origin }: Visit) {
  const key = softwareAuthenticator({ origin })
  const begun = await one.call('POST', 'webauthn/register/begin')
  const credential = key.register(begun.body.publicKey)
  const finished = await one.call('POST', 'webauthn/register/finish', { credential })
  return { key, begun, finished, address: `webauthn/credentials/${finished.body.credential?.id}` }
}

async function withKeyShown(one: Program, visit: Visit) {
  const { key } = await withKey(one, visit)
  const begun = await one.call('POST', 'webauthn/authenticate/begin')
  const credential = key.assert(begun.body.publicKey)
  return { begun, finished: await one.call('POST', 'webauthn/authenticate/finish', { credential }) }
}

const ownId = async (one: Program) => (await one.call('GET', 'session')).body.id

const AN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const A_BACKUP_CODE = /^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/

type Carry = (one: Program, visit: Visit) => Promise<Answer>
type Row = [
  method: Method,
  path: string,
  payload: string,
  made: Carry,
  expected: Record<string, unknown> | undefined,
]

/** The table of § 7, in its order: a valid request of each call, and the fields of its answer. */
const ROWS: readonly Row[] = [
  [
    'POST',
    'change-password',
    'changePasswordRequest',
    (one, { newcomer: { password } }) => {
      const newPassword = 'cuatro palabras que nadie adivina'
      return one.call('POST', 'change-password', { currentPassword: password, newPassword })
    },
    { terminated: 0 },
  ],
  ['GET', 'health', 'none', (one) => one.call('GET', 'health'), { status: 'ok' }],
  [
    'POST',
    'login',
    'loginRequest',
    (_, visit) => visit.stranger().call('POST', 'login', credentials(visit)),
    { requiresMFA: false, user: { firstName: 'Ángela' } },
  ],
  ['POST', 'logout', 'logoutRequest (empty)', (one) => one.call('POST', 'logout', {}), undefined],
  [
    'POST',
    'mfa/backup-codes/regenerate',
    'regenerateBackupCodesRequest',
    async (one, visit) => {
      await withApp(one, visit)
      return one.call('POST', 'mfa/backup-codes/regenerate')
    },
    { backupCodes: Array(10).fill(expect.stringMatching(A_BACKUP_CODE)) },
  ],
  [
    'POST',
    'mfa/totp/disable',
    'disableTotpRequest',
    async (one, visit) => {
      await withApp(one, visit)
      return one.call('POST', 'mfa/totp/disable')
    },
    undefined,
  ],
  [
    'POST',
    'mfa/totp/enable',
    'enableTotpRequest',
    (one) => one.call('POST', 'mfa/totp/enable'),
    { uri: expect.stringMatching(/^otpauth:\/\/totp\//) },
  ],
  [
    'POST',
    'mfa/totp/verify-setup',
    'verifyTotpSetupRequest',
    async (one, visit) => (await withApp(one, visit)).verified,
    { backupCodes: Array(10).fill(expect.stringMatching(A_BACKUP_CODE)) },
  ],
  [
    'POST',
    'refresh',
    'refreshTokenRequest (empty object on automatic refresh)',
    (one) => one.call('POST', 'refresh', {}),
    { user: { firstName: 'Ángela' } },
  ],
  [
    'GET',
    'session',
    'query sessionId',
    async (one) => one.call('GET', `session?sessionId=${await ownId(one)}`),
    { isCurrent: true },
  ],
  [
    'GET',
    'session/validate',
    'none; response has valid and user',
    (one) => one.call('GET', 'session/validate'),
    { valid: true, user: { firstName: 'Ángela', lastName: 'Ruiz Peña', roles: ['CLERK'] } },
  ],
  [
    'GET',
    'sessions',
    'query limit, offset',
    (one) => one.call('GET', 'sessions?limit=1&offset=1'),
    { sessions: [], total: 1, limit: 1, offset: 1 },
  ],
  [
    'POST',
    'sessions/terminate-all',
    'terminateAllSessionsRequest',
    async (one, visit) => {
      await visit.stranger().call('POST', 'login', credentials(visit))
      return one.call('POST', 'sessions/terminate-all')
    },
    { terminated: 1 },
  ],
  [
    'DELETE',
    'sessions/{sessionId}',
    'none',
    async (one, visit) => {
      const other = visit.stranger()
      await other.call('POST', 'login', credentials(visit))
      return one.call('DELETE', `sessions/${await ownId(other)}`)
    },
    undefined,
  ],
  [
    'POST',
    'verify-mfa',
    'verifyMfaRequest',
    async (one, visit) => {
      const { code } = await withApp(one, visit)
      const other = visit.stranger()
      const { mfaSessionToken } = (await other.call('POST', 'login', credentials(visit))).body
      return other.call('POST', 'verify-mfa', { mfaSessionToken, code })
    },
    { requiresMFA: false, session: { mfaMethod: 'MFA_METHOD_TOTP' } },
  ],
  [
    'POST',
    'webauthn/authenticate/begin',
    'beginWebAuthnAuthenticationRequest',
    async (one, visit) => (await withKeyShown(one, visit)).begun,
    { publicKey: { rpId: 'localhost' } },
  ],
  [
    'POST',
    'webauthn/authenticate/finish',
    'finishWebAuthnAuthenticationRequest',
    async (one, visit) => (await withKeyShown(one, visit)).finished,
    { requiresMFA: false },
  ],
  [
    'GET',
    'webauthn/credentials',
    'none',
    async (one, visit) => {
      await withKey(one, visit)
      return one.call('GET', 'webauthn/credentials')
    },
    { credentials: [{ id: expect.stringMatching(AN_ID), name: 'YubiKey 5 NFC' }] },
  ],
  [
    'DELETE',
    'webauthn/credentials/{credentialId}',
    'none',
    async (one, visit) => one.call('DELETE', (await withKey(one, visit)).address),
    undefined,
  ],
  [
    'PUT',
    'webauthn/credentials/{credentialId}',
    'updateWebAuthnCredentialBody',
    async (one, visit) => one.call('PUT', (await withKey(one, visit)).address, { name: 'Azul' }),
    { name: 'Azul' },
  ],
  [
    'POST',
    'webauthn/register/begin',
    'beginWebAuthnRegistrationRequest',
    async (one, visit) => (await withKey(one, visit)).begun,
    { publicKey: { rp: { id: 'localhost' } } },
  ],
  [
    'POST',
    'webauthn/register/finish',
    'finishWebAuthnRegistrationRequest',
    async (one, visit) => (await withKey(one, visit)).finished,
    { credential: { id: expect.stringMatching(AN_ID), name: 'YubiKey 5 NFC' } },
  ],
]

for (const [method, path, payload, made, expected] of ROWS)
  test(`§7 "${method} | /api/v1/auth/${path} | ${payload}"`, async ({ one, visit, described }) => {
    const operation = described.paths[`/api/v1/auth/${path}`]?.[method.toLowerCase()]
    expect(operation, 'the operation is described').toBeDefined()
    const schema = operation?.requestBody?.content['application/json']?.schema.$ref
    const isNamed = /^\w+(?:Request|Body)\b/.exec(payload)
    expect(schema).toBe(isNamed ? `#/components/schemas/${isNamed[0]}` : undefined)
    const { status, body } = await made(one, visit)
    expect(status).toBe(expected ? 200 : 204)
    if (expected) expect(body).toMatchObject(expected)
  })

test('§7 the table holds "/api/v1" calls by these names and no others', ({ described }) => {
  // The calls for signing are not part of authentication.
  const names = Object.entries(described.paths)
    .filter(([path]) => !path.startsWith('/api/v1/signing/'))
    .flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
  const table = ROWS.map(([method, path]) => `${method} /api/v1/auth/${path}`)
  expect(names.toSorted()).toEqual(table.toSorted())
  expect(table).toHaveLength(22)
})

test('§7 "All calls include credentials. The value of the csrftoken cookie, when present, is sent as the X-CSRFToken header"', async ({
  one,
}) => {
  const { cookies } = one.client
  const headers = { 'Content-Type': 'application/json' }
  const bare = await one.send('POST', 'refresh', { headers, body: '{}' })
  expect([bare.status, bare.body.code]).toEqual([403, 'cross-site'])
  const withToken = { ...headers, 'X-CSRFToken': cookies.get('csrftoken') }
  expect((await one.send('POST', 'refresh', { headers: withToken, body: '{}' })).status).toBe(200)
  const session = cookies.get('__Host-session') ?? ''
  cookies.delete('__Host-session')
  expect((await one.call('GET', 'session')).status).toBe(401)
  cookies.set('__Host-session', session)
  expect((await one.call('GET', 'session')).status).toBe(200)
})

test('§3 "Current-session user: firstName, lastName, roles (list). The session check response has valid (boolean) and user"', async ({
  one,
  visit,
}) => {
  const user = { firstName: 'Ángela', lastName: 'Ruiz Peña', roles: ['CLERK'] }
  expect((await one.call('GET', 'session/validate')).body).toEqual({ valid: true, user })
  const unknown = await visit.stranger().call('GET', 'session/validate')
  expect(unknown.body).toEqual({ valid: false, user: null })
})

test('§3 "MFA methods: MFA_METHOD_UNSPECIFIED, MFA_METHOD_TOTP, MFA_METHOD_BACKUP_CODE, MFA_METHOD_WEBAUTHN", §4 "An MFA challenge is set (requiresMFA true, session token stored) or cleared"', async ({
  one,
  visit,
}) => {
  const { code, verified } = await withApp(one, visit)
  await withKey(one, visit)
  const [backupCode] = verified.body.backupCodes
  for (const [mfaMethod, typed, used] of [
    ['MFA_METHOD_UNSPECIFIED', code, 'MFA_METHOD_TOTP'],
    ['MFA_METHOD_BACKUP_CODE', backupCode, 'MFA_METHOD_BACKUP_CODE'],
  ]) {
    const other = visit.stranger()
    const challenge = (await other.call('POST', 'login', credentials(visit))).body
    expect(challenge).toMatchObject({
      requiresMFA: true,
      mfaSessionToken: expect.stringMatching(AN_ID),
      mfaMethods: ['MFA_METHOD_WEBAUTHN', 'MFA_METHOD_TOTP', 'MFA_METHOD_BACKUP_CODE'],
    })
    expect(other.client.cookies.has('__Host-sign-in')).toBe(true)
    const { mfaSessionToken } = challenge
    const call = { mfaSessionToken, mfaMethod, code: typed }
    const cleared = await other.call('POST', 'verify-mfa', call)
    expect(cleared.body).toMatchObject({
      requiresMFA: false,
      mfaSessionToken: null,
      session: { mfaMethod: used },
    })
    expect(other.client.cookies.has('__Host-sign-in')).toBe(false)
  }
})

test('§4 "On a 401 response, except for the login, WebAuthn authenticate and verify-mfa calls": a 401 of these ends no session', async ({
  one,
  visit,
}) => {
  await withApp(one, visit)
  await withKey(one, visit)
  const key = softwareAuthenticator({ origin: visit.origin })
  const asked = (await one.call('POST', 'webauthn/authenticate/begin')).body.publicKey
  const refused: [string, object][] = [
    ['login', { ...credentials(visit), password: 'no es esta contraseña' }],
    ['verify-mfa', { code: '000000' }],
    ['webauthn/authenticate/finish', { credential: key.assert(asked) }],
  ]
  const tokens = [...one.client.cookies]
  for (const [path, body] of refused)
    expect([path, (await one.call('POST', path, body)).status]).toEqual([path, 401])
  expect([...one.client.cookies]).toEqual(tokens)
  expect((await one.call('GET', 'session')).status).toBe(200)
})

test('§6 "No route sets required roles, so every dashboard page needs only a valid session"', async ({
  demo,
  person,
}) => {
  for (const role of ROLES) {
    const user = person(role === 'ADMIN' ? 'administrador' : role)
    const client = await signedInClient(demo.origin, user)
    for (const path of [...MENU.map(([, path]) => path), '/dashboard/profile'])
      expect([role, path, (await client.get(path)).status]).toEqual([role, path, 200])
  }
})
