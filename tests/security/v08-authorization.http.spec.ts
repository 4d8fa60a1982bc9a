import { randomUUID } from 'node:crypto'
import { aPdf, aTitle, signingParts } from '#tests/e2e/support/deeds.ts'
import { anotherOffice } from './support/accounts.ts'
import { type Client, call, expect, isIn, test } from './support/suite.ts'

const upload = async (client: Client, title: string) => {
  const { headers } = await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: title },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'a.pdf', content: aPdf() },
  ])
  return headers.location ?? ''
}

test('V8.2.1 role checks: hold for every page, form and call', async ({
  enter,
  newcomer,
  person,
  rows,
}) => {
  const clerk = await enter(newcomer)
  const target = rows.all<{ id: string }>(
    'select id from users where email = ?',
    person('suplente').email,
  )[0]?.id
  for (const [path, wanted, to] of [
    ['/dashboard/users/new', 302, '/dashboard'],
    ['/dashboard/users/new.data', 202, undefined],
    ['/dashboard/users/new.data?_routes=routes%2Fusers%2Fnew', 202, undefined],
  ] as const) {
    const { status, text, headers } = await clerk.get(path)
    expect([path, status, headers.location]).toEqual([path, wanted, to])
    // The client's encoding of a redirect, without data.
    if (status === 202) expect(text).toMatch(/^\[\["SingleFetchRedirect",1\],.{0,140}\]\n?$/)
    else expect(text).toBe('')
  }
  for (const path of [
    `/dashboard/users/${target}`,
    `/dashboard/users/${target}.data`,
    `/dashboard/users/${target}.data?_routes=routes%2Fusers%2Fperson`,
  ]) {
    const { status, text } = await clerk.get(path)
    expect([path, status]).toEqual([path, 403])
    expect([path, text.includes(person('suplente').email)]).toEqual([path, false])
  }
  const reason = 'Una razón cualquiera.'
  await enter(person('suplente'))
  const sessions = () =>
    rows.all('select id from sessions where user_id = ? and ended_at is null', target)
  const before = sessions()
  for (const form of [
    { intent: 'suspend', reason },
    { intent: 'issue-recovery' },
    { intent: 'end-sessions' },
    { intent: 'require-password-change', reason },
    { intent: 'ask-removal', reason },
  ] as const)
    for (const suffix of ['', '.data']) {
      const { status } = await clerk.post(`/dashboard/users/${target}${suffix}`, form)
      expect([form.intent, suffix, status]).toEqual([form.intent, suffix, 403])
    }
  const [after] = rows.all<{ state: string; password_change_since: number | null }>(
    'select state, password_change_since from users where id = ?',
    target,
  )
  expect(after).toEqual({ state: 'active', password_change_since: null })
  expect(sessions()).toEqual(before)
  expect(rows.all('select id from activations where user_id = ?', target)).toEqual([])
  expect(rows.all('select id from factor_removals where user_id = ?', target)).toEqual([])
  const refused = rows.all(
    'select seq from audit_events where action = ? and actor like ?',
    'access.refused',
    `%${newcomer.id}%`,
  )
  expect(refused).toHaveLength(16)
})

test('V8.2.2 ids of another office: answered like unknown ids', async ({
  enter,
  rows,
  person,
  demo,
}) => {
  const other = anotherOffice(rows)
  const theirs = await enter({ email: other.email, password: demo.users[0]?.password ?? '' })
  const at = await upload(theirs, aTitle('Ajena'))
  const suffixes = [
    '',
    '/sign',
    '/sign/without-scripts',
    '/download/1',
    '/pages/1.png?version=1',
    '/text?version=1',
  ]
  for (const suffix of suffixes)
    expect([suffix, (await theirs.get(`${at}${suffix}`)).status]).toEqual([suffix, 200])
  const [session] = rows.all<{ id: string }>(
    'select id from sessions where user_id = ?',
    other.userId,
  )
  for (const who of ['titular', 'CLERK'] as const) {
    const ours = await enter(person(who))
    for (const suffix of suffixes) {
      const { status } = await ours.get(`${at}${suffix}`)
      const none = await ours.get(`/dashboard/documents/${randomUUID()}${suffix}`)
      expect([who, suffix, status, none.status]).toEqual([who, suffix, 404, 404])
    }
    const called = await call(ours, 'DELETE', `sessions/${session?.id}`)
    expect(called.status).toBe(404)
  }
  const administrator = await enter(person('administrador'))
  expect((await administrator.get(`/dashboard/users/${other.userId}`)).status).toBe(404)
  for (const intent of ['end-sessions', 'issue-recovery']) {
    const { status } = await administrator.post(`/dashboard/users/${other.userId}`, { intent })
    expect([intent, status]).toEqual([intent, 404])
  }
  expect(await isIn(theirs)).toBe(true)
})

test('V8.2.3 fields outside the rights of a user: cannot be written', async ({
  enter,
  newcomer,
  rows,
}) => {
  const client = await enter(newcomer)
  const mine = () =>
    JSON.stringify([
      rows.all(
        'select office_id, state, first_name, email, password_change_since from users where id = ?',
        newcomer.id,
      ),
      rows.all('select role from user_roles where user_id = ?', newcomer.id),
    ])
  const before = mine()
  const evil = {
    role: 'ADMIN',
    roles: 'ADMIN',
    officeId: randomUUID(),
    state: 'active',
    'role-ADMIN': 'on',
    secondFactor: 'TOTP',
  }
  for (const [path, wanted] of [
    ['/dashboard/profile', 422],
    ['/theme', 303],
    ['/dashboard/profile/other-sessions', 303],
    [`/dashboard/users/${newcomer.id}`, 422],
  ] as const) {
    const { status } = await client.post(path, { ...evil, theme: 'light', intent: 'change' })
    expect([path, status]).toEqual([path, wanted])
  }
  const { email, password } = newcomer
  const change = { currentPassword: password, newPassword: 'tortuga verde sobre el tejado' }
  for (const [path, right] of [
    ['login', { email, password }],
    ['refresh', {}],
    ['change-password', change],
    ['mfa/totp/enable', {}],
    ['sessions/terminate-all', {}],
  ] as const) {
    const { status } = await call(client, 'POST', path, { ...right, ...evil })
    expect([path, status]).toEqual([path, 422])
  }
  expect(mine()).toBe(before)
})

test('V8.3.1 authorization: enforced by the server, whatever the page shows', async ({
  enter,
  newcomer,
  person,
  rows,
}) => {
  const clerk = await enter(newcomer)
  const at = await upload(clerk, aTitle())
  expect((await clerk.get(`${at}/sign`)).status).toBe(403)
  const sent = await clerk.postParts(`${at}/sign/without-scripts`, signingParts(person('titular')))
  expect(sent.status).toBe(403)
  const id = at.split('/').at(-1)
  expect(rows.all('select id from prepared_signatures where document_id = ?', id)).toEqual([])
})

test('V8.3.2 removed role: has no effect from the next request on', async ({
  enter,
  newcomer,
  rows,
}) => {
  const client = await enter(newcomer)
  expect((await client.get('/dashboard/documents/new')).status).toBe(200)
  rows.change("update user_roles set role = 'AUDITOR' where user_id = ?", newcomer.id)
  expect((await client.get('/dashboard/documents/new')).status).toBe(403)
})

test('V8.4.1 offices: no data of one is visible in another', async ({
  enter,
  rows,
  person,
  demo,
}) => {
  const other = anotherOffice(rows)
  const theirs = await enter({ email: other.email, password: demo.users[0]?.password ?? '' })
  const title = aTitle('Ajena')
  await upload(theirs, title)
  const pages = [
    '',
    '/documents',
    `/documents?text=${encodeURIComponent(title)}`,
    '/users',
    '/audit',
    '/alerts',
    '/certificates',
    '/signing',
  ]
  for (const who of ['titular', 'administrador', 'AUDITOR'] as const) {
    const ours = await enter(person(who))
    for (const page of pages)
      for (const data of ['', '.data']) {
        const [path = '', query = ''] = page.split(/(?=\?)/)
        const { status, text } = await ours.get(`/dashboard${path}${data}${query}`)
        expect([who, page, data, status]).toEqual([who, page, data, 200])
        // The query is repeated in the search field.
        const shown = text
          .replace(/<input[^>]*>/g, '')
          .replaceAll(query === '' ? '\0' : `"text","${title}"`, '')
        if (query === '') expect([who, page, shown.includes(title)]).toEqual([who, page, false])
        for (const secret of [other.email, other.lastName, other.userId])
          expect([who, page, text.includes(secret)]).toEqual([who, page, false])
      }
  }
  for (const page of ['/dashboard/documents', '/dashboard/users']) {
    const { status, text } = await theirs.get(page)
    expect([page, status]).toEqual([page, 200])
    for (const { email } of demo.users) expect(text).not.toContain(email)
  }
  expect((await theirs.get('/dashboard/documents')).text).toContain(title)
})
