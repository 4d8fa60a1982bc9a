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

test('V8.2.1 what a role may not do it may not do by any address', async ({
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
  for (const path of [
    '/dashboard/users/new',
    '/dashboard/users/new.data',
    '/dashboard/users/new.data?_routes=routes%2Fusers%2Fnew',
  ]) {
    const { status, text, headers } = await clerk.get(path)
    const isRefused = status === 403 || status === 302 || text.includes('SingleFetchRedirect')
    expect([path, isRefused, headers.location]).toEqual([
      path,
      true,
      status === 302 ? '/dashboard' : undefined,
    ])
    expect(text).not.toContain('name="rfc"')
  }
  for (const path of [
    `/dashboard/users/${target}`,
    `/dashboard/users/${target}.data`,
    `/dashboard/users/${target}.data?_routes=routes%2Fusers%2Fperson`,
  ]) {
    const { text } = await clerk.get(path)
    expect([path, text.includes(person('suplente').email)]).toEqual([path, false])
  }
  for (const intent of [
    'suspend',
    'issue-recovery',
    'end-sessions',
    'require-password-change',
    'ask-removal',
  ])
    for (const suffix of ['', '.data']) {
      const path = `/dashboard/users/${target}${suffix}`
      await clerk.post(path, { intent, reason: 'Una razón cualquiera.' })
    }
  const [after] = rows.all<{ state: string; password_change_since: number | null }>(
    'select state, password_change_since from users where id = ?',
    target,
  )
  expect(after).toEqual({ state: 'active', password_change_since: null })
  expect(rows.all('select id from activations where user_id = ?', target)).toEqual([])
  expect(rows.all('select id from factor_removals where user_id = ?', target)).toEqual([])
  const refused = rows.all(
    'select seq from audit_events where action = ? and actor like ?',
    'access.refused',
    `%${newcomer.id}%`,
  )
  expect(refused.length).toBeGreaterThan(0)
})

test('V8.2.2 an id of another office is as unknown as no id', async ({
  enter,
  rows,
  person,
  demo,
}) => {
  const other = anotherOffice(rows)
  const theirs = await enter({ email: other.email, password: demo.users[0]?.password ?? '' })
  const at = await upload(theirs, aTitle('Ajena'))
  expect(at).toMatch(/^\/dashboard\/documents\//)
  const [session] = rows.all<{ id: string }>(
    'select id from sessions where user_id = ?',
    other.userId,
  )
  for (const who of ['titular', 'CLERK'] as const) {
    const ours = await enter(person(who))
    for (const suffix of [
      '',
      '/sign',
      '/sign/without-scripts',
      '/download/1',
      '/pages/1.png?version=1',
    ]) {
      const { status } = await ours.get(`${at}${suffix}`)
      const none = await ours.get(`/dashboard/documents/${randomUUID()}${suffix}`)
      expect([who, suffix, status]).toEqual([who, suffix, none.status])
      expect([403, 404]).toContain(status)
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

test('V8.2.3 nobody writes a field that is not theirs', async ({ enter, newcomer, rows }) => {
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
  for (const path of [
    '/dashboard/profile',
    '/theme',
    '/dashboard/profile/other-sessions',
    `/dashboard/users/${newcomer.id}`,
  ])
    await client.post(path, { ...evil, theme: 'light', intent: 'change' })
  for (const path of [
    'login',
    'refresh',
    'change-password',
    'mfa/totp/enable',
    'sessions/terminate-all',
  ]) {
    const { status } = await call(client, 'POST', path, { ...evil })
    expect([path, status]).toEqual([path, 422])
  }
  expect(mine()).toBe(before)
})

test('V8.3.1 the server decides, not the page', async ({ enter, newcomer, person, rows }) => {
  const clerk = await enter(newcomer)
  const at = await upload(clerk, aTitle())
  expect((await clerk.get(`${at}/sign`)).status).toBe(403)
  const sent = await clerk.postParts(`${at}/sign/without-scripts`, signingParts(person('titular')))
  expect(sent.status).toBe(403)
  const id = at.split('/').at(-1)
  expect(rows.all('select id from prepared_signatures where document_id = ?', id)).toEqual([])
})

test('V8.3.2 a role that is taken away is gone with the next request', async ({
  enter,
  newcomer,
  rows,
}) => {
  const client = await enter(newcomer)
  expect((await client.get('/dashboard/documents/new')).status).toBe(200)
  rows.change("update user_roles set role = 'AUDITOR' where user_id = ?", newcomer.id)
  expect((await client.get('/dashboard/documents/new')).status).toBe(403)
})

test('V8.4.1 nothing of one office is seen in another', async ({ enter, rows, person, demo }) => {
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
        const { text } = await ours.get(`/dashboard${path}${data}${query}`)
        // What was searched for stands in the field of the search.
        const shown = text
          .replace(/<input[^>]*>/g, '')
          .replaceAll(query === '' ? '\0' : `"text","${title}"`, '')
        if (query === '') expect([who, page, shown.includes(title)]).toEqual([who, page, false])
        for (const secret of [other.email, other.lastName, other.userId])
          expect([who, page, text.includes(secret)]).toEqual([who, page, false])
      }
  }
  for (const page of ['/dashboard/documents', '/dashboard/users']) {
    const { text } = await theirs.get(page)
    for (const { email } of demo.users) expect(text).not.toContain(email)
  }
  expect((await theirs.get('/dashboard/documents')).text).toContain(title)
})
