import { aPdf } from '#tests/e2e/support/deeds.ts'
import { codeNow, setUpApp } from './support/accounts.ts'
import { call, expect, isIn, startGuarded, test } from './support/suite.ts'

type Event = Record<string, string> & {
  actor: Record<string, string>
  subject: Record<string, string>
}
const readEvents = (rows: { all: <T>(sql: string, ...values: unknown[]) => T[] }, since = -1) =>
  rows
    .all<{ seq: number; canonical: Buffer }>(
      'select seq, canonical from audit_events where seq > ? order by seq',
      since,
    )
    .map(({ canonical }) => JSON.parse(canonical.toString('utf8')) as Event)

test('V16.2.1 audit events: record actor, action, time, address and result', async ({
  enter,
  newcomer,
  rows,
}) => {
  const client = await enter(newcomer, '198.51.100.7')
  const { headers } = await client.post('/logout', {})
  const [event, ...more] = rows.eventsOf(String(headers['x-request-id'])) as unknown as Event[]
  expect(more).toEqual([])
  expect(event).toMatchObject({
    action: 'session.ended',
    result: 'success',
    ip: '198.51.100.7',
    requestId: headers['x-request-id'],
    actor: { kind: 'person', userId: newcomer.id, name: newcomer.name },
    subject: { kind: 'session' },
  })
  expect(event?.device).toBe('Dispositivo desconocido')
  expect(event?.officeId).toMatch(/^[0-9a-f-]{36}$/)
  const events = readEvents(rows)
  const kinds = new Set(events.map(({ actor }) => actor.kind))
  expect(kinds).toContain('person')
  expect(kinds).toContain('system')
  for (const { seq, actor, ...one } of events) {
    // Events of the system itself have no client address; counted attempts say that they have several.
    const ofRequest = (pattern: RegExp) =>
      actor.kind === 'system' ? '' : expect.stringMatching(pattern)
    const { networks } = Object(one.details) as { networks?: string }
    const ofNetwork = (pattern: RegExp) => (networks === 'several' ? '' : ofRequest(pattern))
    expect({ seq, ...one }).toMatchObject({
      seq,
      action: expect.stringMatching(/^[a-z-]+\.[a-z-]+$/),
      result: expect.stringMatching(/^(?:success|refused)$/),
      at: expect.stringMatching(/Z$/),
      ip: ofNetwork(/^[\d.]+$/),
      device: ofNetwork(/\S/),
      requestId: ofRequest(/^[0-9a-f-]{36}$/),
    })
  }
})

test('V16.2.2 audit times: UTC in milliseconds', async ({ enter, newcomer, rows }) => {
  const began = Date.now()
  await enter(newcomer)
  const ended = Date.now()
  const events = readEvents(rows)
  for (const { at = '' } of events) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const own = events.filter(({ actor }) => actor.userId === newcomer.id)
  expect(own.map(({ action }) => action)).toEqual(['session.started'])
  expect(Date.parse(own[0]?.at ?? '')).toBeGreaterThanOrEqual(began)
  expect(Date.parse(own[0]?.at ?? '')).toBeLessThanOrEqual(ended)
})

test('V16.2.4 process log: every line is JSON', async ({ guarded, visitor }) => {
  await visitor().raw('/login', { method: 'TRACE' })
  await expect.poll(() => guarded.server.logged()).toContain('refused')
  const lines = guarded.server.logged().trim().split('\n')
  for (const line of lines) {
    const { level, time, msg } = JSON.parse(line)
    expect([typeof level, typeof time, typeof msg]).toEqual(['number', 'number', 'string'])
  }
})

test('V16.2.5 logs: contain no password, code or token', async ({
  enter,
  visitor,
  newcomer,
  invited,
  guarded,
  rows,
}) => {
  const client = await enter(newcomer)
  const { secret, backupCodes } = await setUpApp(client)
  const { email, password } = newcomer
  const pending = visitor()
  const { body } = await call(pending, 'POST', 'login', { email, password })
  const { mfaSessionToken } = body
  const paper = (backupCodes[0] ?? '').replace(/^.*·\s*/, '')
  const [wrong, otherField] = ['una contraseña equivocada', 'mi-contraseña-en-el-otro-campo']
  const chosen = 'tortuga verde sobre el tejado'
  const link = { code: invited.code, newPassword: chosen, confirmPassword: chosen }
  const answers = [
    await call(pending, 'POST', 'verify-mfa', { mfaSessionToken, code: '012345' }),
    await call(pending, 'POST', 'verify-mfa', { mfaSessionToken, code: paper }),
    await visitor().post('/login', { email, password: wrong }),
    await visitor().post('/login', { email: otherField, password: 'x' }),
    await visitor().post('/login', { email: `${chosen.replaceAll(' ', '.')}@b.mx`, password: 'x' }),
    await visitor().post('/activate', link),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 401, 422, 401, 303])
  const cookies = [...client.cookies, ...pending.cookies].filter(
    ([name]) => name.startsWith('__Host-') || name === 'csrftoken',
  )
  const secrets = [
    password,
    secret,
    paper,
    ...backupCodes,
    chosen,
    wrong,
    otherField,
    chosen.replaceAll(' ', '.'),
    invited.code,
    invited.code.replaceAll('-', ''),
    ...cookies.map(([, value]) => value),
  ]
  const all = `${guarded.server.logged()}\n${JSON.stringify(readEvents(rows))}`
  expect(all).toContain(newcomer.id)
  for (const one of secrets)
    expect([one, one.length > 4, all.includes(one)]).toEqual([one, true, false])
})

test('V16.3.1 authentication events: each is recorded once', async ({
  visitor,
  newcomer,
  rows,
}) => {
  const { email, password } = newcomer
  const recorded = async (what: Promise<{ headers: Record<string, unknown> }>) =>
    rows.actions(String((await what).headers['x-request-id']))
  const client = visitor()
  expect(await recorded(client.post('/login', { email, password: 'x' }))).toEqual([
    'session.refused (refused)',
  ])
  expect(await recorded(client.post('/login', { email, password }))).toEqual(['session.started'])
  expect(await recorded(call(client, 'POST', 'refresh', {}))).toEqual(['session.refreshed'])
  const begun = await call(client, 'POST', 'mfa/totp/enable', {})
  expect(rows.actions(String(begun.headers['x-request-id']))).toEqual(['totp.begun'])
  const { secret } = begun.body
  expect(await recorded(call(client, 'POST', 'mfa/totp/verify-setup', { code: '000000' }))).toEqual(
    ['totp.refused (refused)'],
  )
  expect(
    await recorded(call(client, 'POST', 'mfa/totp/verify-setup', { code: codeNow(secret) })),
  ).toEqual(['totp.enabled', 'backup-codes.created'])
  expect(await recorded(call(client, 'POST', 'mfa/backup-codes/regenerate', {}))).toEqual([
    'backup-codes.created',
  ])
  const pending = visitor()
  const login = await call(pending, 'POST', 'login', { email, password })
  expect(rows.actions(String(login.headers['x-request-id']))).toEqual(['session.password-accepted'])
  const { mfaSessionToken } = login.body
  expect(
    await recorded(call(pending, 'POST', 'verify-mfa', { mfaSessionToken, code: '000000' })),
  ).toEqual(['session.second-factor-refused (refused)'])
  rows.change('update totp_factors set last_step = last_step - 2 where user_id = ?', newcomer.id)
  expect(
    await recorded(call(pending, 'POST', 'verify-mfa', { mfaSessionToken, code: codeNow(secret) })),
  ).toEqual(['session.started'])
  expect(await recorded(call(client, 'POST', 'mfa/totp/disable', {}))).toEqual(['totp.disabled'])
  const change = { currentPassword: password, newPassword: 'tortuga verde sobre el tejado' }
  expect(await recorded(call(client, 'POST', 'change-password', change))).toEqual([
    'password.changed',
  ])
  expect(await recorded(call(client, 'POST', 'logout', {}))).toEqual(['session.ended'])
})

test('V16.3.2 refused actions: recorded', async ({ enter, newcomer, rows, person }) => {
  const client = await enter(newcomer)
  const target = rows.all<{ id: string }>(
    'select id from users where email = ?',
    person('suplente').email,
  )[0]?.id
  for (const [path, fields] of [
    [`/dashboard/users/${target}`, { intent: 'suspend', reason: 'Una razón cualquiera.' }],
    ['/dashboard/settings/idle', { sessionIdle: '120' }],
    [
      '/dashboard/users/new',
      {
        firstName: 'Ana',
        lastName: 'Ruiz',
        email: 'a@b.mx',
        rfc: 'RUAA800101AA1',
        'role-CLERK': 'on',
      },
    ],
  ] as const) {
    const { status, headers } = await client.post(path, fields)
    expect([path, status]).toEqual([path, 403])
    expect(rows.actions(String(headers['x-request-id']))).toEqual(['access.refused (refused)'])
  }
})

test('V16.3.2 administration page and malformed form without the role: recorded as refusals', async ({
  enter,
  newcomer,
  rows,
}) => {
  const client = await enter(newcomer)
  for (const [path, asked] of [
    ['/dashboard/users/new', 'users.manage'],
    ['/dashboard/settings/idle', 'office.manage'],
    ['/dashboard/settings/outbox', 'office.manage'],
  ] as const)
    for (const [wanted, send] of [
      [302, () => client.get(path)],
      [303, () => client.post(path, {})],
    ] as const) {
      const { status, headers } = await send()
      expect([path, status, headers.location]).toEqual([path, wanted, '/dashboard'])
      const [event, ...more] = rows.eventsOf(String(headers['x-request-id'])) as unknown as Event[]
      expect([path, more.length]).toEqual([path, 0])
      expect(event).toMatchObject({
        action: 'access.refused',
        result: 'refused',
        actor: { userId: newcomer.id },
        details: { asked, code: 'forbidden' },
      })
    }
})

test('V16.3.3 bypass attempts: recorded', async ({ visitor, guarded }) => {
  const client = visitor('198.51.100.23')
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const attempts = [
    await client.raw('/login', {
      method: 'POST',
      headers: { ...type, Origin: 'https://evil.example' },
      body: 'a=1',
    }),
    await client.raw('/login', {
      method: 'POST',
      headers: { ...type, Origin: client.origin },
      body: 'csrf=x',
    }),
    await client.raw('/login', { method: 'TRACE' }),
    await client.get('/login', { Host: 'evil.example' }),
    await client.raw('/api/v1/auth/login', {
      method: 'POST',
      headers: { Origin: client.origin },
      body: 'x',
    }),
  ]
  const lines = () =>
    guarded.server
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line || '{}'))
  expect(attempts.map(({ status }) => status)).toEqual([403, 403, 405, 421, 403])
  for (const { status, headers } of attempts) {
    const recorded = () => lines().filter(({ requestId }) => requestId === headers['x-request-id'])
    await expect.poll(recorded).toHaveLength(1)
    expect(recorded()[0]).toMatchObject({ status, ip: '198.51.100.23', level: 40, msg: 'refused' })
  }
})

test('V16.4.1 log injection: input cannot add a line', async ({
  visitor,
  enter,
  newcomer,
  person,
  guarded,
  rows,
}) => {
  const evil = 'a\r\n{"level":30,"msg":"forged"}\u001b[31m'
  // The letters of Latin-1 that begin a line or a colour pass through a header.
  const device = { 'User-Agent': 'x\u0085{"level":30,"msg":"forged"}\u009b31m' }
  const last = () => rows.all<{ n: number }>('select max(seq) as n from audit_events')[0]?.n ?? -1
  const clerk = await enter(newcomer)
  const administrator = await enter(person('administrador'))
  const before = last()
  const client = visitor()
  const { email, password } = newcomer
  const demand = (reason: string) =>
    administrator.post(`/dashboard/users/${newcomer.id}`, {
      intent: 'require-password-change',
      reason,
    })
  const answers = [
    await client.post('/login', { email: evil, password: evil }),
    await call(client, 'POST', 'login', { email: evil, password: 'x' }),
    await clerk.postParts('/dashboard/documents/new', [
      { name: 'title', content: evil },
      { name: 'kind', content: 'act' },
      { name: 'file', fileName: 'a.pdf', content: aPdf() },
    ]),
    await demand(evil),
    await demand('"}{"level":30,"msg":"forged"}'),
    await call(client, 'POST', 'login', { email, password }, device),
    await client.raw(`/${encodeURIComponent(evil)}`, { method: 'TRACE', headers: device }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 303, 200, 405])
  await expect.poll(() => guarded.server.logged()).toContain('TRACE')
  for (const line of guarded.server.logged().trim().split('\n'))
    expect(JSON.parse(line).msg).not.toBe('forged')
  expect(guarded.server.logged().replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  const events = readEvents(rows, before)
  expect(events.map(({ action }) => action)).toEqual(['password.change-asked', 'session.started'])
  for (const event of events) expect(JSON.stringify(event)).not.toMatch(/\p{Cc}|\\[rnu]/u)
})

test('V16.4.2 audit log: cannot be changed or deleted from', async ({ enter, newcomer, rows }) => {
  await enter(newcomer)
  const [{ n = 0 } = {}] = rows.all<{ n: number }>('select max(seq) as n from audit_events')
  for (const sql of [
    "update audit_events set action = 'session.ended'",
    'delete from audit_events',
    'update audit_events set canonical = zeroblob(4)',
    `delete from audit_events where seq = ${n}`,
    'insert or replace into audit_events select * from audit_events',
    `replace into audit_events select * from audit_events where seq = ${n}`,
    `insert into audit_events select * from audit_events where seq = ${n}
       on conflict (seq) do update set canonical = zeroblob(4)`,
    `update or replace audit_events set seq = 0 where seq = ${n}`,
  ])
    expect(() => rows.change(sql)).toThrow('append-only')
  expect(rows.all<{ n: number }>('select count(*) as n from audit_events')[0]?.n).toBe(n + 1)
})

test('V16.5.1 error answers: contain only the request id', async ({
  visitor,
  enter,
  newcomer,
  rows,
  guarded,
}) => {
  const client = await enter(newcomer)
  rows.change('update users set capacity = ? where id = ?', 'no such capacity', newcomer.id)
  const answers = [
    await client.get('/dashboard'),
    await client.get('/dashboard/profile'),
    await client.get('/dashboard/users'),
    await visitor().get('/%'),
  ]
  rows.change('update users set capacity = null where id = ?', newcomer.id)
  expect(answers.map(({ status }) => status)).toEqual([200, 500, 500, 404])
  for (const { text, headers } of answers) {
    expect(text).not.toMatch(
      /\bat (?:[\w.<>]+ \()?(?:file:|node:|\/)|ZodError|SqliteError|no such capacity|node_modules/,
    )
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
  expect(guarded.server.logged()).not.toContain(newcomer.password)
})

test('V16.5.3 action whose audit event cannot be written: rolled back', async () => {
  test.setTimeout(180_000)
  const { server, rows, demo, address } = await startGuarded()
  try {
    const { clientOf } = await import('#tests/e2e/support/http.ts')
    const headers = {
      Host: 'rubrica.test',
      'X-Forwarded-For': '10.1.1.1',
      'X-Forwarded-Proto': 'https',
    }
    const visitor = () => clientOf('https://rubrica.test', 'Test/1.0', { address, headers })
    const [{ email = '', password = '' } = {}] = demo.users
    const account = { email, password }
    const inside = visitor()
    expect((await inside.post('/login', account)).status).toBe(303)
    expect((await visitor().post('/login', account)).status).toBe(303)
    rows.change(
      "create trigger full_disk before insert on audit_events begin select raise(abort, 'the disk is full'); end",
    )
    const counts = () =>
      ['sessions', 'session_tokens', 'totp_factors', 'activations'].map(
        (table) => rows.all<{ n: number }>(`select count(*) as n from ${table}`)[0]?.n,
      )
    const before = [...counts(), JSON.stringify(rows.all('select * from users order by id'))]
    const client = visitor()
    const refused = await client.post('/login', {
      email: account.email,
      password: account.password,
    })
    expect(refused.status).toBe(500)
    expect(refused.text).not.toContain('disk')
    expect(client.cookies.has('__Host-session')).toBe(false)
    for (const [path, body] of [
      ['mfa/totp/enable', {}],
      [
        'change-password',
        { currentPassword: account.password, newPassword: 'tortuga verde sobre el tejado' },
      ],
      ['sessions/terminate-all', {}],
      ['logout', {}],
    ] as const)
      expect([path, (await call(inside, 'POST', path, body)).status]).toEqual([path, 500])
    expect([...counts(), JSON.stringify(rows.all('select * from users order by id'))]).toEqual(
      before,
    )
    rows.change('drop trigger full_disk')
    expect(server.logged()).toContain('the disk is full')
    const again = visitor()
    expect((await again.post('/login', account)).status).toBe(303)
    expect(await isIn(again)).toBe(true)
  } finally {
    rows.close()
    await server.stop()
  }
})
