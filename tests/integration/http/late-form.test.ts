import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { BODY_LIMIT } from '#app/http/body.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { KEPT, keepFormOfPage, keepLateForm, takeShownForm } from '#app/http/kept-form.ts'
import { redirectToLogin } from '#app/http/redirect-to-login.ts'
import { CSRF_RANDOM_BYTES, makeCsrfToken } from '#server/domain/crypto/csrf.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import { stranger } from '#tests/support/builders.ts'
import { anAccount, newSession } from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PATH = '/dashboard/users/new'

function contextOf(system: TestSystem, actor: Actor = stranger()) {
  const context = new RouterContextProvider()
  context.set(systemContext, system)
  context.set(actorContext, actor)
  return context
}

async function aSession(system: TestSystem) {
  const account = await anAccount(system)
  const { tokens, session, person } = await newSession(system, account)
  const { csrfKey } = system.settings
  const csrf = makeCsrfToken(csrfKey, session.id, new Uint8Array(CSRF_RANDOM_BYTES))
  /** A form of this session. */
  const sent: Sent = {
    cookies: { '__Host-session': tokens.access },
    fields: [
      ['csrf', csrf],
      ['firstName', 'Ximena'],
    ],
  }
  return { tokens, csrf, person, sent }
}

type Sent = {
  cookies: Record<string, string>
  fields: [string, string | File][]
  headers?: Record<string, string>
}

function aForm({ cookies, fields, headers }: Sent): Request {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  const Cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  return new Request(`http://localhost${PATH}`, {
    method: 'POST',
    body,
    headers: { Cookie, ...headers },
  })
}

/** The fields that the page shows after the next sign-in. */
async function shownAfter(system: TestSystem, actor: Actor, id: string | undefined) {
  const url = new URL(`${PATH}?${KEPT}=${id}`, 'http://localhost')
  return await takeShownForm(new Request(url), contextOf(system, actor), url)
}

onEachSystem('form that came too late', (current) => {
  test.each([['__Host-session', 'access'] as const, ['__Host-refresh_token', 'refresh'] as const])(
    'form with the %s of its session: is kept, without files and passwords',
    async (cookie, token) => {
      const system = current()
      const { tokens, csrf, person } = await aSession(system)
      const request = aForm({
        cookies: { [cookie]: tokens[token] },
        fields: [
          ['csrf', csrf],
          ['firstName', 'Ximena'],
          ['password', 'secreta'],
          ['file', new File(['%PDF'], 'a.pdf')],
        ],
      })
      const id = await keepLateForm(request, contextOf(system), PATH)
      expect(await shownAfter(system, person, id)).toEqual({
        ...{ path: PATH, isPartial: true },
        fields: [['firstName', 'Ximena']],
      })
      expect(await shownAfter(system, person, id)).toBeNull()
    },
  )

  test.each<[string, (sent: Sent) => Sent]>([
    ['without a session', (sent) => ({ ...sent, cookies: {} })],
    ['without a token', ({ fields, ...sent }) => ({ ...sent, fields: fields.slice(1) })],
    [
      'with the token of another browser',
      ({ fields, ...sent }) => ({ ...sent, fields: [['csrf', 'x'], ...fields.slice(1)] }),
    ],
    [
      'with a file for a token',
      ({ fields, ...sent }) => ({
        ...sent,
        fields: [['csrf', new File(['x'], 'x')], ...fields.slice(1)],
      }),
    ],
    [
      'that cannot be read',
      (sent) => ({ ...sent, headers: { 'Content-Type': 'multipart/form-data; boundary=other' } }),
    ],
  ])('form %s: is not kept, and the call of a page is refused', async (_, changed) => {
    const system = current()
    const sent = changed((await aSession(system)).sent)
    const context = contextOf(system)
    expect(await keepLateForm(aForm(sent), context, PATH)).toBeUndefined()
    await expect(keepFormOfPage(aForm(sent), context, PATH)).rejects.toMatchObject({
      code: 'cross-site',
    })
  })

  test('form whose body is gone already: is a fault of ours, not one that cannot be read', async () => {
    const system = current()
    const request = aForm((await aSession(system)).sent)
    await request.text()
    await expect(keepLateForm(request, contextOf(system), PATH)).rejects.toBeInstanceOf(TypeError)
  })

  test('form of a page: is kept by its call', async () => {
    const system = current()
    const { person, sent } = await aSession(system)
    const id = await keepFormOfPage(aForm(sent), contextOf(system), PATH)
    expect(await shownAfter(system, person, id)).toMatchObject({ isPartial: false })
  })

  test('form with a large file: keeps the fields before it', async () => {
    const system = current()
    const { person, sent } = await aSession(system)
    const file = new File([new Uint8Array(BODY_LIMIT + 1)], 'a.pdf')
    const form = aForm({ ...sent, fields: [...sent.fields, ['file', file]] })
    const size = (await form.clone().bytes()).length
    const headers = new Headers(form.headers)
    headers.set('Content-Length', String(size))
    const request = new Request(form, { headers })
    const id = await keepLateForm(request, contextOf(system), PATH)
    expect(await shownAfter(system, person, id)).toMatchObject({
      fields: [['firstName', 'Ximena']],
    })
  })

  test('form as large as one without large files may be: keeps the fields behind its files', async () => {
    const system = current()
    const { csrf, person, sent } = await aSession(system)
    const formWith = (last: number) => {
      const files = [...Array<number>(7).fill(65_500), last].map((size): [string, File] => [
        'file',
        new File([new Uint8Array(size)], 'a.cer'),
      ])
      return aForm({ ...sent, fields: [['csrf', csrf], ...files, ['firstName', 'Ximena']] })
    }
    const form = formWith(BODY_LIMIT - (await formWith(0).bytes()).length)
    const headers = new Headers(form.headers)
    headers.set('Content-Length', `${(await form.clone().bytes()).length}`)
    expect(headers.get('Content-Length')).toBe(`${BODY_LIMIT}`)
    const id = await keepLateForm(new Request(form, { headers }), contextOf(system), PATH)
    expect(await shownAfter(system, person, id)).toMatchObject({
      fields: [['firstName', 'Ximena']],
    })
  })

  test('form of a new session with 500 documents and 40 signers: is kept', async () => {
    const system = current()
    const { person, sent } = await aSession(system)
    const documents = Array.from({ length: 500 }, (_, at): [string, string] => [
      'document',
      `document-${at}`,
    ])
    const signers = Array.from({ length: 40 * 9 }, (_, at): [string, string] => [
      `signer-${at}`,
      'Ximena',
    ])
    const form = aForm({ ...sent, fields: [...sent.fields, ...documents, ...signers] })
    const id = await keepLateForm(form, contextOf(system), PATH)
    const shown = await shownAfter(system, person, id)
    expect(shown?.fields).toHaveLength(1 + documents.length + signers.length)
  })

  test('redirect to the sign-in: leads back to the page of the form, which shows it again', async () => {
    const system = current()
    const { person, sent } = await aSession(system)
    const { publicOrigin } = system.settings
    const redirected = async (referrer: string) => {
      const request = aForm({ ...sent, headers: { Referer: referrer } })
      const url = new URL(PATH, publicOrigin)
      const answer = await redirectToLogin({ request, context: contextOf(system), url })
      const login = new URL(answer.headers.get('Location') ?? '', publicOrigin)
      return new URL(login.searchParams.get('returnUrl') ?? '', publicOrigin)
    }
    const page = await redirected(`${publicOrigin}/dashboard/users?page=2`)
    expect([page.pathname, page.searchParams.get('page')]).toEqual(['/dashboard/users', '2'])
    const id = page.searchParams.get(KEPT) ?? undefined
    expect(await shownAfter(system, person, id)).toMatchObject({ path: PATH })
    expect((await redirected('https://e.example/x')).pathname).toBe(PATH)
  })

  test('kept form: is for a visit of its page, not for a prefetch, a form or data', async () => {
    const system = current()
    const { person, sent } = await aSession(system)
    const id = await keepLateForm(aForm(sent), contextOf(system), PATH)
    const url = new URL(`${PATH}?${KEPT}=${id}`, 'http://localhost')
    const asked = [
      new Request(url, { headers: { 'Sec-Purpose': 'prefetch' } }),
      new Request(url, { method: 'POST' }),
      new Request(new URL(`${PATH}.data?${KEPT}=${id}`, 'http://localhost')),
    ]
    for (const one of asked)
      expect(await takeShownForm(one, contextOf(system, person), url)).toBeNull()
    const plain = new URL(PATH, 'http://localhost')
    expect(await takeShownForm(new Request(plain), contextOf(system, person), plain)).toBeNull()
    // All loaders of one request get the same form.
    const context = contextOf(system, person)
    const visit = new Request(url)
    const all = await Promise.all([1, 2].map(() => takeShownForm(visit, context, url)))
    expect(all.map((kept) => kept?.fields)).toEqual([
      [['firstName', 'Ximena']],
      [['firstName', 'Ximena']],
    ])
  })

  test('kept form that cannot be opened: the page shows without it; a fault is a fault', async () => {
    const system = current()
    const { person, sent } = await aSession(system)
    const id = await keepLateForm(aForm(sent), contextOf(system), PATH)
    const open = () => {
      throw new Problem('secret-unreadable', 'a test')
    }
    const vault = { ...system.vault, open }
    expect(await shownAfter({ ...system, vault }, person, id)).toBeNull()
    const fault = shownAfter({ ...system, clock: undefined as never }, person, id)
    await expect(fault).rejects.toBeInstanceOf(TypeError)
  })
})
