import { randomUUID } from 'node:crypto'
import { expect } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { test } from '#tests/e2e/support/newcomers.ts'
import { expectForbidden, expectPageSendsAway } from '#tests/e2e/support/sent-away.ts'
import { ROLES } from '#tests/e2e/support/site-map.ts'

const reason = 'Un motivo bastante largo'

const PERSON = {
  firstName: 'Otro',
  lastName: 'Nombre',
  email: 'otro@notaria.example',
  rfc: 'IIBE900101AB7',
  'role-ADMIN': 'on',
}
const FORMS: readonly Record<string, string>[] = [
  { intent: 'suspend', reason },
  { intent: 'reactivate', reason },
  { intent: 'require-password-change', reason },
  { intent: 'issue-recovery' },
  { intent: 'renew-invitation' },
  { intent: 'end-sessions' },
  { intent: 'end-session', sessionId: randomUUID() },
  { intent: 'ask-removal', reason },
  { intent: 'approve-removal', removalId: randomUUID() },
  { intent: 'refuse-removal', removalId: randomUUID() },
  { intent: 'change', ...PERSON },
]

test('users: only an administrator manages them, by page, form and call', async ({
  demo,
  person,
  newcomer,
  rows,
}) => {
  const path = `/dashboard/users/${newcomer.id}`
  const before = rows.all('select * from users where id = ?', newcomer.id)
  for (const role of ROLES.filter((role) => role !== 'ADMIN')) {
    const client = await signedInClient(demo.origin, person(role === 'NOTARY' ? 'suplente' : role))
    const seesData = role === 'NOTARY' || role === 'AUDITOR'
    for (const suffix of ['', '.data', '?_routes=routes%2Fusers%2Fperson']) {
      const page = await client.get(path + suffix)
      expect([role, suffix, page.status]).toEqual([role, suffix, seesData ? 200 : 403])
      expect(page.text).not.toContain('Suspender la cuenta')
    }
    for (const form of FORMS) {
      expectForbidden(`${role} ${form.intent}`, await client.post(path, form))
    }
    await expectPageSendsAway(client, '/dashboard/users/new')
    const invitation = { ...PERSON, email: `${randomUUID()}@notaria.example` }
    const answer = await client.post('/dashboard/users/new', invitation)
    expectForbidden(`${role} users/new`, answer)
    expect(rows.all('select id from users where email = ?', invitation.email)).toEqual([])
  }
  expect(rows.all('select * from users where id = ?', newcomer.id)).toEqual(before)
})

// The role matrix asks for users of another office.
test('users: unknown users are not found', async ({ demo, person }) => {
  const client = await signedInClient(demo.origin, person('administrador'))
  for (const id of [randomUUID(), 'nobody', '%00'])
    for (const form of [undefined, ...FORMS]) {
      const path = `/dashboard/users/${id}`
      const { status } = form ? await client.post(path, form) : await client.get(path)
      expect([id, form?.intent, status]).toEqual([id, form?.intent, 404])
    }
})

test('users: an unknown form field is refused, and nothing changes', async ({
  demo,
  person,
  newcomer,
  rows,
}) => {
  const client = await signedInClient(demo.origin, person('administrador'))
  const path = `/dashboard/users/${newcomer.id}`
  const before = rows.all('select * from users where id = ?', newcomer.id)
  const [suspend, change] = [FORMS[0], FORMS.at(-1)]
  for (const extra of [
    { officeId: randomUUID() },
    { password: 'una contraseña cualquiera' },
    { state: 'active' },
    { userId: randomUUID() },
    { mustChangePassword: 'true' },
    { roles: 'ADMIN' },
  ])
    for (const [address, form] of [
      [path, { ...suspend, ...extra }],
      [path, { ...change, ...extra }],
      ['/dashboard/users/new', { ...change, intent: '', ...extra }],
    ] as const) {
      const { status, text } = await client.post(address, form)
      expect([address, extra, status]).toEqual([address, extra, 422])
      expect(text).toContain('La solicitud llegó incompleta o dañada.')
    }
  for (const form of [{ intent: 'suspend' }, { intent: 'suspend', reason: 'corto' }]) {
    const { status, text } = await client.post(path, form)
    expect([form, status]).toEqual([form, 422])
    expect(text).toContain('Escriba el motivo, de 10 a 300 caracteres.')
  }
  expect((await client.post(path, { intent: 'drop-tables' })).status).toBe(422)
  expect((await client.post(path, {})).status).toBe(422)
  expect(rows.all('select * from users where id = ?', newcomer.id)).toEqual(before)
})

test('users: a double submit acts once, administrators cannot manage themselves, and an email address is unique', async ({
  demo,
  person,
  newcomer,
  rows,
}) => {
  const administrator = person('administrador')
  const client = await signedInClient(demo.origin, administrator)
  const path = `/dashboard/users/${newcomer.id}`
  await client.token('/dashboard')
  await client.post(path, { intent: 'end-sessions' })
  const answers = await Promise.all(
    [1, 2, 3].map(() => client.post(path, { intent: 'suspend', reason })),
  )
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  const events = rows.all(
    `select seq from audit_events where action = 'user.suspended' and subject_id = ?`,
    newcomer.id,
  )
  expect(events).toHaveLength(1)

  const [self] = rows.all<{ id: string }>(
    'select id from users where email = ?',
    administrator.email,
  )
  const own = `/dashboard/users/${self?.id}`
  expect((await client.get(own)).text).not.toContain('Suspender la cuenta')
  for (const form of [FORMS[0], FORMS[3], FORMS[7]]) {
    const { status, text } = await client.post(own, form ?? {})
    expect([form?.intent, status]).toEqual([form?.intent, 409])
    expect(text).toContain('Debe hacerlo otro administrador.')
  }
  const taken = await client.post(path, { ...FORMS.at(-1), email: administrator.email } as never)
  expect(taken.status).toBe(409)
  expect(taken.text).toContain('Ya existe una cuenta con ese correo electrónico.')
})

test('alerts: only their owner sees them', async ({ demo, person, newcomer, rows }) => {
  const client = await signedInClient(demo.origin, person('administrador'))
  await client.post(`/dashboard/users/${newcomer.id}`, {
    intent: 'require-password-change',
    reason,
  })
  const [alert] = rows.all<{ id: string }>('select id from alerts where user_id = ?', newcomer.id)
  const stolen = await client.post('/dashboard/alerts', {
    alertId: alert?.id ?? '',
    to: 'resolved',
  })
  expect(stolen.status).toBe(404)
  for (const form of [{}, { alertId: 'x', to: 'read' }, { alertId: alert?.id ?? '', to: 'open' }])
    expect((await client.post('/dashboard/alerts', form as never)).status).toBe(422)
  expect((await client.get('/dashboard/alerts?show=nonsense&behind=x')).status).toBe(200)
})
