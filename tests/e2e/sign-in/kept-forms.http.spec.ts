import { expect } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { type LateUser, test } from '#tests/e2e/support/late-user.ts'

/* A form that came after its session was over is kept for its user alone, and only if it is a form of that session. */

const PATH = '/dashboard/users/new'
const FIELDS = { firstName: 'Ximena', lastName: 'Núñez' }
const LOGIN = `/login?returnUrl=${encodeURIComponent(PATH)}`

const idIn = (location: string | undefined) =>
  /conservado=([0-9a-f-]{36})/.exec(decodeURIComponent(location ?? ''))?.[1] ?? ''

/** A client that has the token of a page of its session. */
async function withOpenPage(origin: string, user: LateUser) {
  const client = await signedInClient(origin, user)
  await client.post('/theme', { theme: 'dark' })
  return client
}

test('kept form: filled in for its user, once, and for no one else', async ({
  demo,
  late,
  person,
}) => {
  const before = await withOpenPage(demo.origin, late)
  late.endSessions()
  const { status, headers } = await before.post(PATH, FIELDS)
  expect([status, headers.location?.startsWith(LOGIN)]).toEqual([302, true])
  const page = `${PATH}?conservado=${idIn(headers.location)}`

  const other = await signedInClient(demo.origin, person('administrador'))
  expect((await other.get(page)).text).not.toContain('Ximena')
  const again = await signedInClient(demo.origin, late)
  expect((await again.get(`${PATH}.data?conservado=${idIn(headers.location)}`)).status).toBe(200)
  expect((await again.get(page)).text).toContain('value="Ximena"')
  expect((await again.get(page)).text).not.toContain('Ximena')
})

test('kept form: none for a stranger, a forged token or the token of another session', async ({
  demo,
  late,
  person,
  rows,
}) => {
  const before = await withOpenPage(demo.origin, late)
  const other = await signedInClient(demo.origin, person('CLERK'))
  const ofOther = other.cookies.get('csrftoken') ?? ''
  late.endSessions()
  for (const csrf of ['', 'x', 'A'.repeat(22).concat('.', 'A'.repeat(43)), ofOther]) {
    const { headers } = await before.post(PATH, { ...FIELDS, csrf })
    expect([csrf, headers.location]).toEqual([csrf, LOGIN])
    const call = await before.post(`/keep-form?path=${PATH}`, { ...FIELDS, csrf })
    expect([csrf, call.status]).toEqual([csrf, 403])
  }
  expect(rows.all('select id from kept_requests where user_id = ?', late.id)).toEqual([])
})

test('kept form: without passwords and files, and twenty of a user at most', async ({
  demo,
  late,
  rows,
}) => {
  const before = await withOpenPage(demo.origin, late)
  late.endSessions()
  await before.postParts('/dashboard/documents/new', [
    { name: 'title', content: 'Compraventa' },
    { name: 'file', fileName: 'escritura.pdf', content: Buffer.alloc(2_000_000, 7) },
  ])
  for (let count = 0; count < 25; count += 1) await before.post(PATH, FIELDS)
  const kept = rows.all<{ path: string }>(
    'select path from kept_requests where user_id = ? order by created_at, path',
    late.id,
  )
  expect(kept).toHaveLength(20)
  expect(kept.map(({ path }) => path)).toContain('/dashboard/documents/new')
  const again = await signedInClient(demo.origin, late)
  expect((await again.get('/dashboard/documents')).status).toBe(200)
})
