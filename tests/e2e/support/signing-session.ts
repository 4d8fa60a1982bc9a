import type { DemoUser } from '#tests/support/demo-server.ts'
import { aTitle, type Deed } from './deeds.ts'
import { type Client, signedInClient } from './http.ts'

/** Of the office, with their account. */
export type SessionSigner = { id: string; step?: number }

/** Without a browser, as the forms do it: the documents, then each signer, then it is opened. Returns its id. */
export async function openSession(
  origin: string,
  clerk: DemoUser,
  deeds: readonly Pick<Deed, 'id'>[],
  signers: readonly SessionSigner[],
): Promise<string> {
  const client = await signedInClient(origin, clerk)
  const made = await client.postParts('/dashboard/signing/new', [
    { name: 'title', content: aTitle('Sesión') },
    ...deeds.map(({ id }) => ({ name: 'document', content: id })),
  ])
  const id = /\/signing\/([0-9a-f-]{36})/.exec(made.headers.location ?? '')?.[1]
  if (!id) throw new Error(`no session: ${made.status}`)
  for (const { id: userId, step = 1 } of signers)
    await act(client, id, {
      intent: 'add-user',
      kind: 'user',
      userId,
      character: 'Compareciente',
      step: String(step),
    })
  await act(client, id, { intent: 'open' })
  return id
}

export async function cancelSession(origin: string, clerk: DemoUser, id: string): Promise<void> {
  const client = await signedInClient(origin, clerk)
  await act(client, id, { intent: 'cancel', reason: 'El comprador desistió' })
}

async function act(client: Client, id: string, fields: Record<string, string>): Promise<void> {
  const { status } = await client.post(`/dashboard/signing/${id}`, fields)
  if (status !== 303) throw new Error(`${fields.intent}: ${status}`)
}
