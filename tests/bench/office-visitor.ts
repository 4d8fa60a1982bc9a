import type { DemoServer } from './demo-server.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const LINK = new RegExp(`/dashboard/documents/(${UUID.source})(?=["?#])`, 'g')

export type OfficeDocuments = {
  /** A document that anybody may verify. */
  signed: string
  /** One that waits for a signature. */
  draft: string
  /** The `Cookie` header of whoever may sign it. */
  cookie: string
}

/** Signs in as the first person of the demo office and looks for a signed document and a draft. */
export async function findDocuments({ origin, users }: DemoServer): Promise<OfficeDocuments> {
  const [person] = users
  if (!person) throw new Error('nobody works in the demo office')
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

async function signIn(
  origin: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const form = await fetch(`${origin}/login`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? ''
  const answer = await fetch(`${origin}/login`, {
    method: 'POST',
    headers: { cookie: cookiesOf(form), origin },
    body: new URLSearchParams({ csrf, email, password }),
    redirect: 'manual',
  })
  if (answer.status !== 303) throw new Error(`signing in was answered with ${answer.status}`)
  return [cookiesOf(form), cookiesOf(answer)].filter(Boolean).join('; ')
}

const cookiesOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
