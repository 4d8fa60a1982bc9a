import { readFileSync } from 'node:fs'
import { aPdf, uploadDeed } from '#tests/e2e/support/deeds.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { type GuestInvitation, inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import {
  type Answered,
  type Client,
  clientOf,
  multipart,
  signedInClient,
} from '#tests/e2e/support/http.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A form as a page sends it, with the token that stands on the page at `from`. */
async function sendForm(
  client: Client,
  path: string,
  fields: Record<string, string>,
  from = path,
): Promise<Answered> {
  const csrf = await client.token(from)
  const body = new URLSearchParams({ csrf, ...fields }).toString()
  return await client.raw(path, {
    method: 'POST',
    headers: { ...FORM, Origin: client.origin },
    body,
  })
}

const noticeOn = async (client: Client) =>
  /name="notice" value="([0-9a-f]{64})"/.exec((await client.get('/sign/documents')).text)?.[1] ?? ''

/** A guest who opened the link and gave consent. */
async function enter(origin: string, asked: GuestInvitation): Promise<Client> {
  const client = clientOf(origin)
  const opened = await sendForm(client, '/sign', { code: await asked.newCode() })
  expect(opened.status).toBe(303)
  const notice = await noticeOn(client)
  const agreed = await sendForm(client, '/sign/documents', { notice, consent: 'yes' })
  expect(agreed.status).toBe(303)
  return client
}

const alertIn = ({ text }: Answered) => /role="alert".*?<div>([^<]+)<\/div>/s.exec(text)?.[1]

test.describe.configure({ timeout: 180_000 })

test('signing link: sets one HttpOnly cookie and lets only read before consent; pages are not cached', async ({
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  const client = clientOf(demo.origin)
  const code = await asked.newCode()
  const page = await client.get('/sign')
  expect(page.status).toBe(200)
  expect(page.headers['x-robots-tag']).toContain('noindex')
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.headers['referrer-policy']).toBe('same-origin')

  const opened = await sendForm(client, '/sign', { code })
  expect(opened.headers.location).toBe('/sign/documents#contenido')
  const cookie = opened.headers['set-cookie']?.find((line) => line.startsWith('__Host-guest='))
  expect(cookie).toMatch(/Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
  const seconds = Number(/Max-Age=(\d+)/.exec(cookie ?? '')?.[1])
  // Thirty days, minus the duration of the test.
  expect(seconds).toBeLessThanOrEqual(30 * 86_400)
  expect(seconds).toBeGreaterThan(30 * 86_400 - 60)
  expect(JSON.stringify(opened.headers)).not.toContain(code)

  const before = await client.get('/sign/documents')
  expect(before.status).toBe(200)
  expect(before.text).toContain('Acepto y continúo')
  expect(before.text).toContain(deed.title)
  expect((await client.get(`/sign/documents/${deed.id}`)).text).not.toContain('type="file"')
  for (const path of ['/sign/batch', '/sign/reject', `/sign/documents/${deed.id}/without-scripts`])
    expect((await client.get(path)).headers.location).toBe('/sign/documents')

  const notice = await noticeOn(client)
  await sendForm(client, '/sign/documents', { notice, consent: 'yes' })
  expect((await client.get(`/sign/documents/${deed.id}`)).text).toContain('type="file"')
  for (const path of [
    '/sign/documents',
    `/sign/documents/${deed.id}`,
    `/sign/documents/${deed.id}/pages/1.png?version=2`,
    `/sign/documents/${deed.id}/download/2`,
  ]) {
    const answer = await client.get(path)
    expect([path, answer.status]).toEqual([path, 200])
    expect([path, answer.headers['cache-control']]).toEqual([path, 'no-store'])
    expect([path, answer.headers['x-robots-tag']]).toEqual([path, 'noindex'])
  }
})

test('signing link: opens nothing else, and leaves the session of a signed-in user alone', async ({
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  const guest = await enter(demo.origin, asked)
  for (const path of [
    '/dashboard',
    `/dashboard/documents/${deed.id}`,
    `/dashboard/documents/${deed.id}/download/2`,
  ])
    expect((await guest.get(path)).headers.location).toBe(
      `/login?returnUrl=${encodeURIComponent(path)}`,
    )
  expect((await guest.get('/api/v1/auth/sessions')).status).toBe(401)
  const stranger = await uploadDeed(demo.origin, person('CLERK'), aPdf())
  for (const path of [
    '',
    '/pages/1.png?version=1',
    '/text?version=1',
    '/download/1',
    '/without-scripts',
  ])
    expect((await guest.get(`/sign/documents/${stranger.id}${path}`)).status).toBe(404)

  const clerk = await signedInClient(demo.origin, person('CLERK'))
  await clerk.get('/dashboard')
  const token = clerk.cookies.get('csrftoken')
  for (const name of ['__Host-guest']) clerk.cookies.set(name, guest.cookies.get(name) ?? '')
  expect((await clerk.get('/sign/documents')).text).toContain('Comprador')
  expect(clerk.cookies.get('csrftoken')).toBe(token)
  expect((await clerk.get('/dashboard')).status).toBe(200)
  expect((await clerk.get(`/dashboard/documents/${deed.id}`)).status).toBe(200)
})

test('signing link: a form with a missing, foreign or earlier CSRF token is refused', async ({
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  const client = clientOf(demo.origin)
  const early = await client.token('/sign')
  await sendForm(client, '/sign', { code: await asked.newCode() })
  const notice = await noticeOn(client)
  for (const csrf of ['', 'x', early]) {
    const body = new URLSearchParams({ csrf, notice, consent: 'yes' }).toString()
    const headers = { ...FORM, Origin: demo.origin }
    const answer = await client.raw('/sign/documents', { method: 'POST', headers, body })
    expect(answer.status).toBe(403)
  }
  const evil = { ...FORM, Origin: 'https://evil.example' }
  const body = new URLSearchParams({
    csrf: await client.token('/sign/documents'),
    notice,
  }).toString()
  const foreign = await client.raw('/sign/documents', { method: 'POST', headers: evil, body })
  expect(foreign.status).toBe(403)
  expect((await client.get('/sign/documents')).text).toContain('Acepto y continúo')

  const token = await client.token('/sign/documents')
  await client.post('/sign/documents', { csrf: token, notice, consent: 'yes' })
  for (const csrf of ['', 'x', early]) {
    const { type, body: form } = multipart([{ name: 'csrf', content: csrf }])
    const headers = { 'Content-Type': type, Origin: demo.origin }
    for (const path of [
      '/sign/batch/without-scripts',
      `/sign/documents/${deed.id}/without-scripts`,
      `/sign/documents/${deed.id}/prepare`,
      `/sign/documents/${deed.id}/complete`,
      '/sign/reject',
    ]) {
      const { status } = await client.raw(path, { method: 'POST', headers, body: form })
      expect([path, status]).toEqual([path, 403])
    }
  }
})

test('signing link: after revocation the next page and the next call are refused', async ({
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  const guest = await enter(demo.origin, asked)
  const csrf = await guest.token(`/sign/documents/${deed.id}/without-scripts`)
  await asked.revoke()
  const certificate = readFileSync(asked.signer.cer).toString('base64')
  const call = await guest.raw(`/sign/documents/${deed.id}/prepare`, {
    method: 'POST',
    headers: { ...FORM, Origin: demo.origin },
    body: new URLSearchParams({ csrf, version: '2', certificate }).toString(),
  })
  expect(call.status).toBe(410)
  expect(JSON.parse(call.text)).toMatchObject({ code: 'signing-link-over' })
  const page = await guest.get(`/sign/documents/${deed.id}`)
  expect([page.status, page.headers.location]).toEqual([303, '/sign'])
  expect(guest.cookies.has('__Host-guest')).toBe(false)
  expect((await guest.get('/sign')).text).toContain('Su enlace ya no sirve')
})

test('signing link: all invalid codes get the same answer, and one of two browsers gets in', async ({
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  const replaced = await asked.newCode()
  const code = await asked.newCode()
  const both = await Promise.all(
    [1, 2].map(() => sendForm(clientOf(demo.origin), '/sign', { code })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 410])
  const refusals = await Promise.all(
    [replaced, code, '0123456789ABCDEFGHJKMNPQRS'].map((one) =>
      sendForm(clientOf(demo.origin), '/sign', { code: one }),
    ),
  )
  expect(refusals.map(({ status }) => status)).toEqual([410, 410, 410])
  expect(new Set(refusals.map(alertIn)).size).toBe(1)
  expect(alertIn(refusals[0]!)).toContain('Pida un enlace nuevo a la notaría.')
  for (const refusal of refusals) expect(refusal.text).not.toContain(code)
})
