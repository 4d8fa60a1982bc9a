import { randomUUID } from 'node:crypto'
import { contractOf, type OpenApi } from '#tests/e2e/support/api.ts'
import { clientOf } from '#tests/e2e/support/http.ts'
import { setUpApp } from './support/accounts.ts'
import {
  type Client,
  call,
  expect,
  type Guarded,
  isIn,
  startGuarded,
  test,
} from './support/suite.ts'

const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  '\u202e',
  'a'.repeat(10_000),
  [],
  [[]],
  {},
  { $ne: '' },
  { toString: 1 },
]

/** The valid bodies of a call and the answers to them; every other body must be refused as invalid. */
const TAKEN: Readonly<Record<string, Record<string, number>>> = {
  'post /api/v1/auth/mfa/backup-codes/regenerate': { '{}': 403 },
  'post /api/v1/auth/mfa/totp/disable': { '{}': 404 },
  'post /api/v1/auth/mfa/totp/enable': { '{}': 200 },
  'post /api/v1/auth/refresh': { '{}': 401 },
  'post /api/v1/auth/sessions/terminate-all': { '{}': 200 },
  'post /api/v1/auth/verify-mfa': { '{"code":" "}': 401, '{"code":"\u202e"}': 401 },
  'post /api/v1/auth/webauthn/authenticate/begin': { '{}': 401 },
  'post /api/v1/auth/webauthn/register/begin': { '{}': 200 },
  'post /api/v1/signing/prepared/{preparedId}/complete': {
    '{"signature":""}': 404,
    [`{"signature":"${'a'.repeat(10_000)}"}`]: 404,
  },
  'put /api/v1/auth/webauthn/credentials/{credentialId}': { '{"name":"\u202e"}': 404 },
}

test('V2.2.1 API: malformed input never causes a server error', async ({
  enter,
  visitor,
  newcomer,
}) => {
  test.slow()
  const program = await enter(newcomer)
  const accessToken = await makeAccessToken(program)
  const { text } = await call(program, 'GET', '/api/v1/openapi.json')
  const description: OpenApi = JSON.parse(text)
  const { paths, components } = description
  const contract = contractOf(description)
  const taken: Record<string, Record<string, number>> = {}
  for (const [template, operations] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(operations)) {
      if (method === 'get' || template.endsWith('/logout')) continue
      const ref = requestBody?.content['application/json']?.schema.$ref ?? ''
      const named = components.schemas[ref.slice('#/components/schemas/'.length)]
      const { properties = {} } = (named ?? {}) as { properties?: Record<string, unknown> }
      const bodies = new Set([
        ...STRANGE.map((value) => JSON.stringify(value)),
        ...Object.keys(properties).flatMap((name) =>
          STRANGE.map((value) => JSON.stringify({ [name]: value })),
        ),
      ])
      const isOfStrangers = /login|verify-mfa|authenticate|refresh/.test(template)
      const isOfPrograms = template.startsWith('/api/v1/signing/')
      const who = isOfStrangers || isOfPrograms ? visitor() : program
      for (const sent of bodies) {
        const path = template.replace(/\{\w+\}/, randomUUID())
        const answer = await call(who, method.toUpperCase(), path, sent, {
          ...(isOfPrograms && { Authorization: `Bearer ${accessToken}` }),
        })
        contract.check(method.toUpperCase(), path, answer)
        // It has no body to judge, and there is nothing to delete at a random id.
        if (method === 'delete') expect([path, answer.status]).toEqual([path, 404])
        else if (answer.status !== 422) {
          const operation = `${method} ${template}`
          taken[operation] = { ...taken[operation], [sent]: answer.status }
        }
      }
    }
  expect(taken).toEqual(TAKEN)
  expect(await isIn(program)).toBe(true)
})

async function makeAccessToken(client: Client): Promise<string> {
  const page = '/dashboard/profile/tokens'
  const made = await client.post(page, { change: 'create', name: 'Programa', days: '30' })
  expect(made.status).toBe(303)
  const [token = ''] = /rubrica_[\w-]+/.exec((await client.get(page)).text) ?? []
  expect(token).toMatch(/^rubrica_[\w-]{43}/)
  return token
}

test('V2.2.2 form rules of the browser: enforced by the server too', async ({
  visitor,
  invited,
}) => {
  const client = visitor()
  for (const fields of [
    {},
    { email: 'no address', password: '' },
    { email: '', password: 'x' },
    { email: 'a@b.mx' },
  ]) {
    const { status, text } = await client.post('/login', fields)
    expect([fields, status]).toEqual([fields, 422])
    expect(text).toContain('aria-invalid="true"')
  }
  const { status, text } = await client.post('/activate', { code: invited.code })
  expect(status).toBe(422)
  expect(text).toContain('aria-invalid="true"')
})

test('V2.2.3 contradictory fields: refused', async ({ enter, visitor, invited, person }) => {
  const newPassword = 'tortuga verde sobre el tejado'
  const fields = { code: invited.code, newPassword, confirmPassword: `${newPassword}.` }
  expect((await visitor().post('/activate', fields)).status).toBe(422)
  const administrator = await enter(person('administrador'))
  const email = `${randomUUID()}@notaria.example`
  const data = { firstName: 'Ana', lastName: 'Ruiz', rfc: 'RUAA800101AA1', email }
  const clerk = { ...data, 'role-CLERK': 'on', capacity: 'titular' }
  const notary = { ...data, 'role-NOTARY': 'on', capacity: 'titular' }
  const reversed = { ...notary, capacityFrom: '2026-05-01', capacityTo: '2026-04-01' }
  const unable = { ...data, 'role-NOTARY': 'on' }
  for (const wrong of [clerk, reversed, unable, data]) {
    const { status } = await administrator.post('/dashboard/users/new', wrong)
    expect(status).toBe(422)
  }
  const good = { ...fields, confirmPassword: newPassword }
  expect((await visitor().post('/activate', good)).status, 'the link was not used up').toBe(303)
})

test('V2.3.1 sign-in: no step can be skipped or sent empty', async ({
  enter,
  visitor,
  newcomer,
}) => {
  await setUpApp(await enter(newcomer))
  const pending = visitor()
  const { email, password } = newcomer
  const begun = await pending.post('/login', { email, password })
  expect(begun.headers.location).toMatch(/^\/mfa/)
  expect(pending.cookies.has('__Host-session')).toBe(false)
  expect(await isIn(pending)).toBe(false)
  for (const path of [
    '/setup-mfa',
    '/setup-mfa/app',
    '/setup-mfa/backup-codes',
    '/change-password',
    '/step-up',
  ])
    expect([path, (await pending.get(path)).headers.location]).toEqual([
      path,
      expect.stringMatching(/^\/login/),
    ])
  for (const path of ['sessions/terminate-all', 'mfa/totp/disable', 'mfa/backup-codes/regenerate'])
    expect([path, (await call(pending, 'POST', path, {})).status]).toEqual([path, 401])
  for (const fields of [{}, { method: 'TOTP' }, { method: 'TOTP', code: '' }, { method: 'NONE' }]) {
    const { status } = await pending.post('/mfa', fields as Record<string, string>)
    expect([fields, status]).toEqual([fields, 422])
  }
  // The password again is no second factor.
  const again = await pending.post('/mfa', { method: 'PASSWORD', password })
  expect(again.headers.location).toMatch(/^\/login/)
  expect(await isIn(pending)).toBe(false)
})

test('V2.3.3 password change: completes or leaves no trace when the server is killed', async () => {
  test.setTimeout(180_000)
  const guarded = await startGuarded()
  try {
    const { mixed, changed, people } = await killedWhileChanging(guarded)
    expect(mixed).toEqual([])
    // It was in the midst of them.
    expect(changed).toBeGreaterThan(0)
    expect(changed).toBeLessThan(people)
  } finally {
    guarded.rows.close()
    await guarded.server.stop()
  }
})

type Changed = { changed: number; events: number; open: number }

/** All users change their password at once, each with a second session; the server is killed meanwhile. */
async function killedWhileChanging({ server, rows, demo, address }: Guarded) {
  const headers = { Host: 'rubrica.test', 'X-Forwarded-Proto': 'https' }
  const people = demo.users.map(({ email, password }) => ({ email, password }))
  const began = Date.now()
  const changes = await Promise.all(
    people.map(async (account, at) => {
      const visitor = () =>
        clientOf('https://rubrica.test', 'Test/1.0', {
          address,
          headers: { ...headers, 'X-Forwarded-For': `10.9.${at}.1` },
        })
      const [here, elsewhere] = [visitor(), visitor()]
      for (const client of [here, elsewhere])
        expect((await client.post('/login', account)).status).toBe(303)
      await here.get('/dashboard')
      return () =>
        call(here, 'POST', 'change-password', {
          currentPassword: account.password,
          newPassword: `tortuga verde sobre el tejado ${at}`,
        }).catch(() => undefined)
    }),
  )
  const answers = changes.map((change) => change())
  const recorded = () => rows.all("select seq from audit_events where action = 'password.changed'")
  while (recorded().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await server.kill()
  await Promise.all(answers)
  // As the next start finds it.
  const found = rows.all<Changed>(
    `select password_changed_at >= ? as changed,
       (select count(*) from audit_events where action = 'password.changed' and subject_id = users.id) as events,
       (select count(*) from sessions where user_id = users.id and ended_at is null) as open
     from users where email in (${people.map(() => '?')})`,
    began,
    ...people.map(({ email }) => email),
  )
  expect(found).toHaveLength(people.length)
  const mixed = found.filter(({ changed, events, open }) =>
    changed ? events !== 1 || open !== 1 : events !== 0 || open !== 2,
  )
  const changed = found.filter((one) => one.changed).length
  return { mixed, changed, people: people.length }
}

test('V2.4.1 repeated sign-in attempts: throttled with Retry-After', async ({
  visitor,
  newcomer,
}) => {
  const { email } = newcomer
  const wrong = { email, password: 'no es la contraseña' }
  const client = visitor()
  const statuses = []
  for (let attempt = 0; attempt < 6; attempt += 1)
    statuses.push((await call(client, 'POST', 'login', wrong)).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  const { status, headers } = await client.post('/login', wrong)
  expect(status).toBe(429)
  // Half a minute, minus the duration of this test.
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30)
  expect(Number(headers['retry-after'])).toBeGreaterThan(15)
})

test('V2.4.1 sign-in attempts from one network: throttled over all accounts', async () => {
  // On a server of its own: so many failed attempts leave the log of the others for a minute.
  const { server, rows, address } = await startGuarded()
  const headers = {
    Host: 'rubrica.test',
    'X-Forwarded-For': '192.0.2.77',
    'X-Forwarded-Proto': 'https',
  }
  const visitor = () => clientOf('https://rubrica.test', 'Test/1.0', { address, headers })
  try {
    const many: number[] = []
    // Only a few at once, since a full hashing queue also answers 429.
    while (many.length < 104) {
      const some = Array.from({ length: 8 }, async (_, at) => {
        const one = { email: `nadie-${many.length + at}@notaria.example`, password: 'x' }
        return (await call(visitor(), 'POST', 'login', one)).status
      })
      many.push(...(await Promise.all(some)))
    }
    const count = (wanted: number) => many.filter((one) => one === wanted).length
    expect([count(401), count(429)]).toEqual([100, 4])
  } finally {
    rows.close()
    await server.stop()
  }
})
