import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { aPdf, aTitle, idIn, signingParts } from '#tests/e2e/support/deeds.ts'
import { type Client, signedInClient } from '#tests/e2e/support/http.ts'
import type { Demo, DemoUser } from './demo-server.ts'
import type { WithRows } from './office-rows.ts'
import { reviewedIn } from './reviewed-in.ts'

/** A signed-in user of the demo office, before and after the server was killed. */
export type Signer = DemoUser & { id: string; client: Client }
export type Signers = readonly [Signer, Signer, Signer]

/** Work that the server acknowledged. */
export type Acknowledged = {
  signed: { documentId: string; userId: string }[]
  uploaded: string[]
  /** Documents in sessions that were opened. */
  opened: string[]
}

export const nothingYet = (): Acknowledged => ({ signed: [], uploaded: [], opened: [] })

/** The first three users of the demo office, signed in. */
export async function signersOf(
  origin: string,
  dataFolder: string,
  withRows: WithRows,
): Promise<Signers> {
  const demo = JSON.parse(readFileSync(path.join(dataFolder, 'demo/demo.json'), 'utf8')) as Demo
  const signers = demo.users.slice(0, 3).map(async (user) => {
    const [row] = await withRows((rows) => rows.all<{ id: string }>(BY_EMAIL, user.email))
    if (!row) throw new Error(`${user.email} is no user`)
    return { ...user, id: row.id, client: await signedInClient(origin, user) }
  })
  return (await Promise.all(signers)) as unknown as Signers
}

const BY_EMAIL = 'select id from users where email = ?'

/**
 * Signs by page calls, by the form without scripts, and two at once in sessions, until all is done or the server
 * stops answering.
 */
export function workOf(
  [first, second, third]: Signers,
  done: Acknowledged,
  isOver: { value: boolean },
): Promise<void>[] {
  const again = async (work: () => Promise<unknown>) => {
    while (!isOver.value) await work()
  }
  return [
    again(async () => signInPage(first, await upload(first, done), 1, done)),
    again(async () => signWithoutScripts(second, await upload(second, done), done)),
    again(async () => {
      const documentId = await openSession(third, [first, third], done)
      const both = [first, third].map((signer) => signInTurn(signer, documentId, done, isOver))
      await Promise.all(both)
    }),
  ]
}

async function upload({ client }: Signer, { uploaded }: Acknowledged): Promise<string> {
  const answer = await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: aTitle() },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'escritura.pdf', content: aPdf() },
  ])
  const id = idIn(answer.headers.location)
  uploaded.push(id)
  return id
}

/** The result for one document: signed, or the reason why not. */
async function signInPage(
  { id: userId, client, cer, key, keyPassword }: Signer,
  documentId: string,
  version: number,
  done: Acknowledged,
): Promise<string> {
  const place = `/dashboard/documents/${documentId}/sign`
  const certificate = readFileSync(cer).toString('base64')
  const asked = { version: String(version), certificate }
  const prepared = JSON.parse((await client.post(`${place}/prepare`, asked)).text)
  if (prepared.kind !== 'prepared') return prepared.code
  const encrypted = { key: readFileSync(key), format: 'der', type: 'pkcs8' } as const
  const privateKey = createPrivateKey({ ...encrypted, passphrase: keyPassword })
  const toBeSigned = Buffer.from(prepared.toBeSigned, 'base64')
  const signature = sign('sha256', toBeSigned, privateKey).toString('base64')
  const fields = { preparedId: prepared.id, signature }
  const completed = JSON.parse((await client.post(`${place}/complete`, fields)).text)
  if (completed.kind !== 'completed') return completed.code
  done.signed.push({ documentId, userId })
  return 'signed'
}

async function signWithoutScripts(signer: Signer, documentId: string, done: Acknowledged) {
  const place = `/dashboard/documents/${documentId}/sign/without-scripts`
  const { status } = await signer.client.postParts(place, signingParts(signer))
  if (status === 303) done.signed.push({ documentId, userId: signer.id })
}

async function signInTurn(
  signer: Signer,
  documentId: string,
  done: Acknowledged,
  isOver: { value: boolean },
) {
  while (!isOver.value && (await signInPage(signer, documentId, 2, done)) !== 'signed')
    await pause(100)
}

async function openSession(
  clerk: Signer,
  signers: readonly Signer[],
  done: Acknowledged,
): Promise<string> {
  const { client } = clerk
  const documentId = await upload(clerk, done)
  const made = await client.postParts('/dashboard/signing/new', [
    { name: 'title', content: aTitle('Sesión') },
    { name: 'document', content: documentId },
  ])
  const place = made.headers.location ?? ''
  for (const { id: userId } of signers)
    await client.post(place, {
      ...{ intent: 'add-user', kind: 'user', userId },
      ...{ character: 'Compareciente', step: '1' },
    })
  const review = `${place}/review`
  const reviewed = reviewedIn((await client.get(review)).text)
  const opened = await client.post(review, { reviewed })
  if (opened.headers.location === place) done.opened.push(documentId)
  return documentId
}

/** Lets signers who got no answer begin anew: the lease of their preparation would keep others waiting. */
export const endLeases = (withRows: WithRows): Promise<void> =>
  withRows((rows) => rows.change('update prepared_signatures set expires_at = ?', Date.now() - 1))

/**
 * The remaining signers sign once the leases of others are free.
 *
 * @returns what they could not sign
 */
export async function signRemaining(
  withRows: WithRows,
  signers: readonly Signer[],
  done: Acknowledged,
): Promise<string[]> {
  await endLeases(withRows)
  const faults: string[] = []
  for (const { id, user_id, version } of await leftIn(withRows)) {
    const signer = signers.find((one) => one.id === user_id)
    const result = signer ? await signInPage(signer, id, version, done) : 'no signer'
    if (result !== 'signed') faults.push(`document ${id} cannot be signed: ${result}`)
  }
  const left = await leftIn(withRows)
  return [...faults, ...left.map(({ id }) => `document ${id} still waits for a signature`)]
}

type Left = { id: string; user_id: string; version: number }
const leftIn = (withRows: WithRows) => withRows((rows) => rows.all<Left>(LEFT))

/** Drafts without a session, and the signers whose turn it is in sessions. */
const LEFT = `
  select d.id, d.created_by as user_id, 1 as version from documents d
  where d.title like 'Escritura ________' and d.state = 'draft'
    and not exists (select 1 from session_documents s where s.document_id = d.id)
  union all
  select d.id, g.user_id, 2 as version from documents d
  join session_documents s on s.document_id = d.id
  join signing_sessions o on o.id = s.signing_session_id and o.state = 'open'
  join signers g on g.signing_session_id = o.id
  where d.title like 'Escritura ________' and not exists
    (select 1 from signatures x where x.document_id = d.id and x.session_signer_id = g.id)`
