import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { look, textStream } from '#tests/attacks/deed.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import { bodiesWithPages, pdfWithTable, textOf } from '#tests/support/pdf/pdf-builders.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'
import { type Client, signedInClient } from './http.ts'

export type Deed = { id: string; title: string; bytes: Uint8Array; sha256: string }

/** A small PDF like no other: two pages, a cross-reference table, no signature. */
export function aPdf(pages = 2): Uint8Array {
  return pdfWithTable(bodiesWithPages(pages, `/Reference(${randomUUID()})`))
}

/** A unique title, so that concurrent tests do not see each other's documents. */
export const aTitle = (what = 'Escritura') => `${what} ${randomUUID().slice(0, 8)}`

/** A signed deed with a revision behind it that shows something else on its first page. */
export function changedLater(signed: Uint8Array): Uint8Array {
  return appendRevision(signed, { 11: textStream('Otra cosa') }, { root: rootOf(signed) })
}

/** A deed like no other with a field for its price. */
export const aForm = () =>
  pdfWithTable({
    ...bodiesWithPages(1, `/Reference(${randomUUID()})/AcroForm 8 0 R`),
    ...price('1000'),
    8: '<</Fields[5 0 R]/DA(/F1 0 Tf)/DR<</Font<</F1 3 0 R>>>>>>',
    10: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Annots[5 0 R]/Contents 11 0 R>>',
  })

/** The signed form, in which another price was filled in later. */
export const filledLater = (signed: Uint8Array, amount: string) =>
  appendRevision(signed, price(amount), { root: rootOf(signed) })

const price = (amount: string) => ({
  5: `<</FT/Tx/T(Precio)/V(${amount})/Type/Annot/Subtype/Widget/Rect[10 250 100 259]/F 4/P 10 0 R/AP<</N 7 0 R>>>>`,
  7: look(amount),
})

const rootOf = (file: Uint8Array) =>
  Number([...textOf(file).matchAll(/\/Root (\d+) 0 R/g)].at(-1)?.[1])

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export async function uploadDeed(
  origin: string,
  clerk: DemoUser,
  bytes: Uint8Array = aPdf(),
): Promise<Deed> {
  const client = await signedInClient(origin, clerk)
  const title = aTitle()
  const answer = await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: title },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'escritura.pdf', content: bytes },
  ])
  if (answer.status !== 303)
    throw new Error(`the upload was refused with ${answer.status}: ${errorsIn(answer.text)}`)
  const id = idIn(answer.headers.location)
  return { id, title, bytes, sha256: sha256Of(bytes) }
}

/** Uploads many small documents in one form. Returns how all of their titles begin. */
export async function uploadDrafts(
  origin: string,
  clerk: DemoUser,
  count: number,
): Promise<string> {
  const client = await signedInClient(origin, clerk)
  const title = aTitle('Muchos')
  const files = Array.from({ length: count }, (_, index) => ({
    ...{ name: 'file', fileName: `borrador-${index + 1}.pdf`, content: aPdf(1) },
  }))
  const answer = await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: title },
    { name: 'kind', content: 'letter' },
    ...files,
  ])
  if (answer.status >= 400)
    throw new Error(`the upload was refused with ${answer.status}: ${errorsIn(answer.text)}`)
  return title
}

/** The sentences of a refused form, with the names of their fields. */
const errorsIn = (html: string) =>
  [...html.matchAll(/(?:role="alert"|id="field-([^"]+)-error")[^>]*>([^<]+)/g)].map(
    ([, field = 'form', text]) => `${field}: ${text}`,
  )

export function idIn(address: string | undefined): string {
  const id = /\/documents\/([0-9a-f-]{36})$/.exec(address ?? '')?.[1]
  if (!id) throw new Error(`expected the address of a document, got ${address}`)
  return id
}

/** Signs without a browser, as the form without scripts does. */
export async function signDeed(
  origin: string,
  deed: Pick<Deed, 'id'>,
  signer: DemoUser,
  version = 1,
): Promise<void> {
  const client = await signedInClient(origin, signer)
  const answer = await client.postParts(
    `/dashboard/documents/${deed.id}/sign/without-scripts`,
    signingParts(signer, { version: String(version) }),
  )
  if (answer.status !== 303) throw new Error(`not signed: ${answer.status}`)
}

/** The fields of the form without scripts, all filled in. */
export function signingParts(signer: DemoUser, changes: Record<string, string> = {}) {
  const fields = { version: '1', password: signer.keyPassword, consent: 'yes', ...changes }
  return [
    ...Object.entries(fields).map(([name, content]) => ({ name, content })),
    { name: 'certificate', fileName: 'e.cer', content: readFileSync(signer.cer) },
    { name: 'privateKey', fileName: 'e.key', content: readFileSync(signer.key) },
  ]
}

/** Downloads a version of the document as a user of the office. */
export async function downloadVersion(
  client: Client,
  deed: Pick<Deed, 'id'>,
  version: number,
): Promise<Buffer> {
  const response = await fetch(
    `${client.origin}/dashboard/documents/${deed.id}/download/${version}`,
    { headers: { Cookie: [...client.cookies].map((pair) => pair.join('=')).join('; ') } },
  )
  if (!response.ok) throw new Error(`no version ${version}: ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
