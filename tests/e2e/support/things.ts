import { createHash } from 'node:crypto'
import { aPrivateAuthority } from '#tests/support/authorities/private-authority.ts'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'
import { aTitle, type Deed, uploadDeed } from './deeds.ts'
import { type Client, signedInClient } from './http.ts'
import { openSession } from './signing-session.ts'
import type { Things } from './site-map.ts'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

type Office = {
  demo: Demo
  /** An administrator who is a notary. */
  reader: DemoUser
  clerk: DemoUser
  signed: Pick<Deed, 'id'>
}

/** One of everything that has a page of its own in the demo office; what is missing there is made. */
export async function findThings({ demo, reader, clerk, signed }: Office): Promise<Things> {
  const [client, author] = [
    await signedInClient(demo.origin, reader),
    await signedInClient(demo.origin, clerk),
  ]
  const on = (page: string, link: string, other = '') => firstIn(client, page, link, other)
  const draft = await uploadDeed(demo.origin, clerk)
  const session = await openSession(
    demo.origin,
    clerk,
    [await uploadDeed(demo.origin, clerk)],
    [{ name: 'Begoña Peñaloza Yáñez', rfc: 'PEYB820417HM1', email: 'begona@correo.example' }],
  )
  await recordCopy(author, signed.id)
  const yubikey = await assignedKey(client)
  return {
    draft: draft.id,
    ...{ signed: signed.id, session },
    copy: await on(`/dashboard/documents/${signed.id}/copies`, `copies/(${UUID})/cancel`),
    number: await on('/dashboard/documents/numbers', `documents/numbers/(${UUID}/[^"?]+)"`),
    signer: await on(`/dashboard/signing/${session}`, `/links/(${UUID})`),
    draftSession: await draftSession(author, draft.id),
    party: await on('/dashboard/signing/parties', `signing/parties/(${UUID})`),
    certificate: await on('/dashboard/certificates', `dashboard/certificates/(${UUID})`),
    ...yubikey,
    user: await on('/dashboard/users', `dashboard/users/(${UUID})`),
    notary: await on(`/dashboard/users?text=${reader.email}`, `dashboard/users/(${UUID})`),
    act: await on('/dashboard/settings/acts', `settings/acts/([\\w-]+)"`, 'new'),
    authority: await importAuthority(client),
    obligation: await on('/dashboard/settings/obligations', `settings/obligations/(${UUID})"`),
    deadline: await on('/dashboard/obligations', `dashboard/obligations/(${UUID})"`),
    series: await on('/dashboard/settings/numbers', `settings/numbers/(${UUID})`),
    mail: await on('/dashboard/settings/outbox', `settings/outbox/(${UUID})`),
    arco: await recordArco(client),
    office: await on('/dashboard/settings/privacy', `/privacy/(${UUID})`),
    provider: await on('/dashboard/settings/providers', `settings/providers/(${UUID})`),
  }
}

/** The first link on the page that fits, but `other`. */
async function firstIn(client: Client, page: string, link: string, other = ''): Promise<string> {
  const { status, text } = await client.get(page)
  const found = [...text.matchAll(new RegExp(link, 'g'))].map(([, id]) => id)
  const id = found.find((one) => one !== other)
  if (!id) throw new Error(`${page} (${status}) has no ${link}`)
  return id
}

async function recordCopy(client: Client, id: string): Promise<void> {
  const path = `/dashboard/documents/${id}/copies/new`
  const { text } = await client.get(path)
  const once = /name="once" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const answer = await client.post(path, {
    ...{ once, copy: 'simple-copy.1', part: 'whole', name: 'Hilda Rosas Vega', rfc: '' },
    ...{ character: '', medium: 'electronic', sheets: '', issuedOn: '2026-11-20', note: '' },
  })
  if (answer.status !== 303) throw new Error(`copy: ${answer.status}`)
}

/** @returns its id */
async function recordArco(client: Client): Promise<string> {
  const path = '/dashboard/arco/new'
  const { text } = await client.get(path)
  const once = /name="once" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const answer = await client.post(path, {
    ...{ once, kind: 'access', way: 'letter', receivedOn: '2026-11-20', rfc: '', email: '' },
    ...{ name: 'Hilda Rosas Vega', asked: 'Qué datos míos tienen.' },
  })
  const id = String(answer.headers.location).split('/').at(-1)
  if (answer.status !== 303 || !id) throw new Error(`arco: ${answer.status}`)
  return id
}

/** Those of the demo are built in, and have no page. */
async function importAuthority(client: Client): Promise<string> {
  const { certificate } = await aPrivateAuthority(aTitle('Autoridad'))
  const answer = await client.postParts('/dashboard/settings/authorities/new', [
    { name: 'file', fileName: 'raiz.cer', content: certificate.der },
  ])
  if (answer.status !== 200) throw new Error(`authority: ${answer.status}`)
  return createHash('sha256').update(certificate.der).digest('hex')
}

async function draftSession(client: Client, document: string): Promise<string> {
  const made = await client.postParts('/dashboard/signing/new', [
    { name: 'title', content: aTitle('Sesión') },
    { name: 'document', content: document },
  ])
  const id = /\/signing\/([0-9a-f-]{36})/.exec(made.headers.location ?? '')?.[1]
  if (!id) throw new Error(`draft session: ${made.status}`)
  // Without a signer there is nothing to review.
  const added = await client.post(`/dashboard/signing/${id}`, {
    ...{ intent: 'add-external', kind: 'external', name: 'Luis Paz', rfc: 'PAZL850101QX2' },
    ...{ email: 'luis@correo.example', character: 'Comprador', step: '1' },
  })
  if (added.status !== 303) throw new Error(`signer: ${added.status}`)
  return id
}

/** One that was handed over, so that it has a receipt. */
async function assignedKey(client: Client): Promise<Pick<Things, 'yubikey' | 'receipt'>> {
  const list = '/dashboard/certificates/keys?state=assigned'
  const yubikey = await firstIn(client, list, `certificates/keys/(${UUID})`)
  const page = `/dashboard/certificates/keys/${yubikey}`
  return { yubikey, receipt: await firstIn(client, page, `/receipts/(\\d+)`) }
}
