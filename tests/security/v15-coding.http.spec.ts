import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'
import { startOffice } from '#tests/support/processes/started-server.ts'
import { call, expect, isIn, test } from './support/suite.ts'

const LOGGER = path.resolve('tests/support/processes/log-modules.ts')

test('V15.2.3 test code: a server for real use loads none, and no module of the demo', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-modules-'))
  const MODULE_LOG = path.join(folder, 'modules')
  const port = await freePort()
  const { server } = await startOffice({ PORT: String(port) })
  const logged = await startServer('start', {
    ...{ PORT: String(await freePort()), DATA_DIR: server.dataFolder, MODULE_LOG },
    NODE_OPTIONS: `--import=${LOGGER}`,
  })
  try {
    const modules = readFileSync(MODULE_LOG, 'utf8').split('\n')
    expect(modules.filter((url) => url.endsWith('/server/main.ts'))).toHaveLength(1)
    const strange = /\/(?:tests|server\/(?:demo|dev))\/|node_modules\/(?:vitest|@playwright)\//
    expect(modules.filter((url) => strange.test(url))).toEqual([])
  } finally {
    await logged.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('V15.2.3 test endpoints: a server for real use has none, and no header sets its clock', async ({
  visitor,
}) => {
  const ofDemo = ['/demo/ocsp', '/demo/tsa', '/demo/constancia']
  for (const path of [...ofDemo, '/__test/clock', '/api/v1/test', '/api/v1/auth/debug'])
    for (const method of ['GET', 'POST']) {
      const client = visitor()
      const { status } = await client.raw(path, { method, headers: { Origin: client.origin } })
      expect([path, method, status]).toEqual([path, method, 404])
    }
  const client = visitor()
  const tomorrow = String(Date.now() + 86_400_000)
  const { body } = await client
    .get('/api/v1/auth/health', { 'X-Test-Clock': tomorrow, 'X-Now': tomorrow })
    .then(({ text }) => ({ body: JSON.parse(text) }))
  expect(Math.abs(Date.parse(body.time) - Date.now())).toBeLessThan(60_000)
})

const EVIL = [{ isAdmin: true }, { roles: ['ADMIN'] }, { sessionId: 'x' }, { remember: true }]

test('V15.3.3 unknown fields: refused', async ({ enter, visitor, newcomer }) => {
  const { email, password } = newcomer
  for (const more of EVIL) {
    const { status } = await call(visitor(), 'POST', 'login', { email, password, ...more })
    expect([more, status]).toEqual([more, 422])
  }
  const client = await enter(newcomer)
  for (const path of [
    'logout',
    'sessions/terminate-all',
    'mfa/totp/enable',
    'mfa/totp/disable',
    'mfa/backup-codes/regenerate',
    'webauthn/register/begin',
  ])
    expect([path, (await call(client, 'POST', path, { evil: true })).status]).toEqual([path, 422])
  expect(await isIn(client)).toBe(true)
})

test('V15.3.5 fields of another type: refused', async ({ enter, visitor, newcomer }) => {
  const { email, password } = newcomer
  for (const body of [
    { email, password: [password] },
    { email: [email], password },
    { email, password: { length: 15 } },
    { email, password: 123456789012345 },
    { email: null, password },
    { email, password: true },
  ])
    expect([body, (await call(visitor(), 'POST', 'login', body)).status]).toEqual([body, 422])
  const client = await enter(newcomer)
  for (const code of [123456, ['123456'], { $gt: '' }, null, true])
    expect([code, (await call(client, 'POST', 'mfa/totp/verify-setup', { code })).status]).toEqual([
      code,
      422,
    ])
  for (const query of [
    'limit=1&limit=2',
    'limit[]=1',
    'limit=1e3',
    'limit=0x1',
    'limit=',
    'offset=-1',
  ])
    expect([query, (await call(client, 'GET', `sessions?${query}`)).status]).toEqual([query, 422])
})

test('V15.3.6 prototype pollution: a body cannot reach Object.prototype', async ({
  visitor,
  newcomer,
}) => {
  const { email, password } = newcomer
  const bodies = [
    `{"email":"${email}","password":"${password}","__proto__":{"isAdmin":true}}`,
    `{"email":"${email}","password":"${password}","constructor":{"prototype":{"isAdmin":true}}}`,
    `{"__proto__":{"email":"${email}","password":"${password}"}}`,
  ]
  for (const body of bodies) {
    const client = visitor()
    const { status } = await call(client, 'POST', 'login', body)
    expect([body, status]).toEqual([body, 400])
    expect(client.cookies.has('__Host-session')).toBe(false)
  }
  const client = visitor()
  const csrf = await client.token()
  const form = new URLSearchParams({
    csrf,
    email,
    password,
    '__proto__[isAdmin]': '1',
    'constructor.prototype.roles': 'ADMIN',
  })
  const sent = await client.raw('/login', {
    method: 'POST',
    headers: { Origin: client.origin, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `${form}`,
  })
  // Fields that the form does not have are left out: a clerk has signed in, and is nothing else.
  expect([sent.status, sent.headers.location]).toEqual([303, '/dashboard'])
  expect((await client.get('/dashboard/users/new')).status).toBe(302)
  const stranger = visitor()
  expect(await isIn(stranger)).toBe(false)
  expect((await call(stranger, 'GET', 'session/validate')).body).toEqual({
    valid: false,
    user: null,
  })
})

test('V15.3.7 repeated parameters: refused or ignored', async ({ enter, visitor, newcomer }) => {
  const client = visitor()
  const { email, password } = newcomer
  for (const [name, wanted] of [
    ['password', 422],
    ['email', 422],
    ['csrf', 403],
  ] as const) {
    const csrf = await client.token()
    const form = new URLSearchParams({ [name]: name === 'email' ? email : 'otra cosa' })
    for (const [own, value] of Object.entries({ csrf, email, password })) form.append(own, value)
    const { status } = await client.raw('/login', {
      method: 'POST',
      headers: { Origin: client.origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `${form}`,
    })
    expect([name, status]).toEqual([name, wanted])
  }
  // Query parameters are not form fields.
  const inAddress = await client.post(
    `/login?email=${encodeURIComponent(email)}&password=${encodeURIComponent(password)}`,
    { email: 'nadie@notaria.example', password: 'x' },
  )
  expect(inAddress.status).toBe(401)
  const program = await enter(newcomer)
  expect((await call(program, 'GET', 'session?sessionId=a&sessionId=b')).status).toBe(422)
})
