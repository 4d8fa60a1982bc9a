import { z } from 'zod'
import { instantOf } from '#server/domain/time.ts'
import { codeAt } from '#tests/support/keys/authenticator-app.ts'
import type { DemoServer } from './demo-server.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const LINK = new RegExp(`/dashboard/documents/(${UUID.source})(?=["?#])`, 'g')

export type OfficeDocuments = {
  /** A document with a public verification page. */
  signed: string
  /** A document that waits for a signature. */
  draft: string
  /** The `Cookie` header of its signer. */
  cookie: string
}

/** Signs in as the first person of the demo office and looks for a signed document and a draft. */
export async function findDocuments({ origin, users }: DemoServer): Promise<OfficeDocuments> {
  const [person] = users
  if (!person) throw new Error('the demo office has no users')
  const cookie = await signIn(origin, person)
  const list = await fetch(`${origin}/dashboard/documents`, { headers: { cookie } })
  const ids = new Set([...(await list.text()).matchAll(LINK)].map((match) => match[1] as string))
  let signed: string | undefined
  let draft: string | undefined
  for (const id of ids) {
    const { status } = await fetch(`${origin}/verify/${id}`)
    if (status === 200) signed ??= id
    if (status === 404) draft ??= id
  }
  if (!signed || !draft) throw new Error(`no signed document or no draft among ${[...ids]}`)
  return { signed, draft, cookie }
}

/**
 * Signs in with the form, as far as a password goes.
 *
 * @returns the `Cookie` header from then on
 */
export async function signIn(
  origin: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const form = await fetch(`${origin}/login`)
  const csrf = tokenIn(await form.text())
  const answer = await fetch(`${origin}/login`, {
    method: 'POST',
    headers: { cookie: cookiesOf(form), origin },
    body: new URLSearchParams({ csrf, email, password }),
    redirect: 'manual',
  })
  if (answer.status !== 303) throw new Error(`signing in was answered with ${answer.status}`)
  const pairs = [form, answer].flatMap((one) => cookiesOf(one).split('; '))
  // Sign-in replaces some cookies: the later one counts.
  const cookies = new Map(pairs.map((pair) => [pair.split('=', 1)[0], pair]))
  return [...cookies.values()].join('; ')
}

/** Gives a signed-in person an authenticator app. */
export async function enrolApp(origin: string, cookie: string): Promise<void> {
  const { secret } = z.object({ secret: z.string() }).parse(await post('enable', {}))
  await post('verify-setup', { code: codeAt(secret, instantOf(Date.now())) })

  async function post(call: string, body: object): Promise<unknown> {
    const token = /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? ''
    const answer = await fetch(`${origin}/api/v1/auth/mfa/totp/${call}`, {
      method: 'POST',
      headers: { cookie, origin, 'X-CSRFToken': token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${call} was answered with ${answer.status}`)
    return await answer.json()
  }
}

export const cookiesOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')

/** The CSRF token of a page, which its forms must send. */
export const tokenIn = (page: string) => /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''

/**
 * The cookies of a `Cookie` header as a browser takes them.
 *
 * @param header of a request
 */
export const cookiesFrom = (header: string, origin: string) =>
  header.split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2)
    return { name, value: decodeURIComponent(value), url: origin.replace('http:', 'https:') }
  })
