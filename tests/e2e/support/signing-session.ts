import type { DemoUser } from '#tests/support/processes/demo-server.ts'
import { reviewedIn } from '#tests/support/processes/reviewed-in.ts'
import { aTitle, type Deed } from './deeds.ts'
import { type Client, signedInClient } from './http.ts'

export type SessionSigner =
  /** Of the office, with their account. */
  | { id: string; step?: number }
  /** Of the office, by full name, who signs as their role and capacity say. */
  | { colleague: string; step: number }
  /** External signers, who get mail. */
  | { name: string; rfc: string; email: string }

/** Without a browser, as the forms do it: the documents, then each signer, then it is opened. Returns its id. */
export async function openSession(
  origin: string,
  clerk: DemoUser,
  deeds: readonly Pick<Deed, 'id'>[],
  signers: readonly SessionSigner[],
  { title = aTitle('Sesión'), userAgent }: { title?: string; userAgent?: string } = {},
): Promise<string> {
  const client = await signedInClient(origin, clerk, userAgent)
  const made = await client.postParts('/dashboard/signing/new', [
    { name: 'title', content: title },
    ...deeds.map(({ id }) => ({ name: 'document', content: id })),
  ])
  const id = /\/signing\/([0-9a-f-]{36})/.exec(made.headers.location ?? '')?.[1]
  if (!id) throw new Error(`no session: ${made.status}`)
  for (const signer of signers) {
    const { text } = await client.get(`/dashboard/signing/${id}`)
    await act(client, id, asForm(signer, text))
  }
  await openReviewed(client, `/dashboard/signing/${id}`)
  return id
}

/** @param page of the session, which names the people of the office with their ids */
function asForm(signer: SessionSigner, page: string): Record<string, string> {
  if ('colleague' in signer) {
    const { colleague, step } = signer
    const [, userId] =
      new RegExp(`<option value="([0-9a-f-]{36})"[^>]*>${colleague}<`).exec(page) ?? []
    if (!userId) throw new Error(`no colleague ${colleague}`)
    return { intent: 'add-user', kind: 'user', userId, character: '', step: String(step) }
  }
  const character = 'Compareciente'
  if (!('id' in signer))
    return { intent: 'add-external', kind: 'external', ...signer, character, step: '1' }
  const { id: userId, step = 1 } = signer
  return { intent: 'add-user', kind: 'user', userId, character, step: String(step) }
}

/** Opens what the page of the review shows. */
async function openReviewed(client: Client, session: string): Promise<void> {
  const page = `${session}/review`
  const { text } = await client.get(page)
  const reviewed = reviewedIn(text)
  const { status, headers } = await client.post(page, { reviewed })
  if (status !== 303 || headers.location !== session) throw new Error(`open: ${status}`)
}

/** Writes again to the only signer from outside. */
export async function remindGuest(origin: string, clerk: DemoUser, id: string): Promise<void> {
  const client = await signedInClient(origin, clerk)
  const { text } = await client.get(`/dashboard/signing/${id}`)
  const [, signerId = ''] = /\/links\/([0-9a-f-]{36})/.exec(text) ?? []
  await act(client, id, { intent: 'remind', signerId })
}

export async function cancelSession(origin: string, clerk: DemoUser, id: string): Promise<void> {
  const client = await signedInClient(origin, clerk)
  await act(client, id, { intent: 'cancel', reason: 'El comprador desistió' })
}

async function act(client: Client, id: string, fields: Record<string, string>): Promise<void> {
  const { status } = await client.post(`/dashboard/signing/${id}`, fields)
  if (status !== 303) throw new Error(`${fields.intent}: ${status}`)
}
