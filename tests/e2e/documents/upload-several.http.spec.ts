import { Readable } from 'node:stream'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { type Client, multipart, type Part, signedInClient } from '#tests/e2e/support/http.ts'

const NEW = '/dashboard/documents/new'
const file = (fileName: string, content: Uint8Array | string): Part => ({
  ...{ name: 'file', fileName, content },
})

/** The form as bytes, with its token. */
async function formOf(client: Client, title: string, files: readonly Part[]) {
  const csrf = await client.token(NEW)
  const fields = Object.entries({ csrf, title, kind: 'act' })
  return multipart([...fields.map(([name, content]) => ({ name, content })), ...files])
}

const titlesIn = async (client: Client, title: string) => {
  const { status, text } = await client.get(
    `/dashboard/documents?text=${encodeURIComponent(title)}`,
  )
  expect(status).toBe(200)
  const links = text.replace(/<script[\s\S]*?<\/script>/g, '').matchAll(/<a[^>]*>([^<]+)<\/a>/g)
  return [...links].flatMap(([, name = '']) => (name.startsWith(title) ? [name] : [])).toSorted()
}

test('upload: a file over the limit is named, and the files before and after it are stored', async ({
  demo,
  person,
}) => {
  test.slow()
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle('Enorme')
  const { type, body } = await formOf(clerk, title, [
    file('uno.pdf', aPdf()),
    file('enorme.pdf', '%PDF-1.7\nAQUÍ'),
    file('dos.pdf', aPdf()),
  ])
  const middle = Buffer.from(body).indexOf('AQUÍ')
  const megabyte = Buffer.alloc(1024 * 1024, '%')
  async function* content() {
    yield body.subarray(0, middle)
    for (let sent = 0; sent < 201; sent += 1) yield megabyte
    yield body.subarray(middle)
  }
  const answer = await clerk.raw(NEW, {
    method: 'POST',
    headers: {
      ...{ 'Content-Type': type, Origin: demo.origin },
      'Content-Length': body.length + 201 * megabyte.length,
    },
    body: Readable.from(content()),
  })
  expect(answer.status).toBe(413)
  expect(answer.text).toContain(
    'El archivo supera el límite de 200 MB. No se guardó; elija uno más pequeño.',
  )
  expect(await titlesIn(clerk, title)).toEqual([`${title} · dos`, `${title} · uno`])
})

test('upload: a broken connection keeps the complete files, and a retry stores none twice', async ({
  demo,
  person,
}) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle('Roto')
  const { type, body } = await formOf(clerk, title, [
    file('uno.pdf', aPdf()),
    file('dos.pdf', aPdf(500)),
  ])
  const headers = { 'Content-Type': type, 'Content-Length': body.length, Origin: demo.origin }
  async function* breakingOff() {
    yield body.subarray(0, body.length - 5_000)
    await new Promise((resolve) => setTimeout(resolve, 500))
    throw new Error('the cable was pulled')
  }
  const broken = { method: 'POST', headers, body: Readable.from(breakingOff()) }
  await expect(clerk.raw(NEW, broken)).rejects.toThrow('the cable was pulled')
  await expect.poll(() => titlesIn(clerk, title)).toEqual([`${title} · uno`])
  const again = await clerk.raw(NEW, { method: 'POST', headers, body })
  expect(again.status).toBe(200)
  expect(await titlesIn(clerk, title)).toEqual([`${title} · dos`, `${title} · uno`])
})

test('upload: a truncated form answers which files were stored', async ({ demo, person }) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle('Cortado')
  const { type, body } = await formOf(clerk, title, [
    file('uno.pdf', aPdf()),
    file('dos.pdf', aPdf(500)),
  ])
  const half = body.subarray(0, body.length - 60)
  const headers = { 'Content-Type': type, 'Content-Length': half.length, Origin: demo.origin }
  const { status, text } = await clerk.raw(NEW, { method: 'POST', headers, body: half })
  expect(status).toBe(400)
  expect(text).toContain('Quedó guardado 1 documento. Lo demás llegó incompleto o dañado:')
  expect(text).toContain(`${title} · uno`)
  expect(await titlesIn(clerk, title)).toEqual([`${title} · uno`])
})

test('upload: an invalid field refuses all files', async ({ demo, person }) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const files = [file('uno.pdf', aPdf()), file('dos.pdf', aPdf())]
  const title = aTitle('Largo')
  const { type, body } = await formOf(clerk, title.padEnd(201, 't'), files)
  const headers = { 'Content-Type': type, 'Content-Length': body.length, Origin: demo.origin }
  const { status, text } = await clerk.raw(NEW, { method: 'POST', headers, body })
  expect(status).toBe(422)
  expect(text).toContain('El título tiene 201 caracteres y el límite es 200: acórtelo.')
  expect(text).not.toContain('Quedaron guardados')
  expect(await titlesIn(clerk, title)).toEqual([])
})

test('upload without a kind: stored as a document of another kind', async ({ demo, person }) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle('Sin tipo')
  const answer = await clerk.postParts(NEW, [
    { name: 'title', content: title },
    file('uno.pdf', aPdf()),
  ])
  expect(answer.status).toBe(303)
  const { status, text } = await clerk.get(answer.headers.location ?? '')
  expect(status).toBe(200)
  expect(text).toContain(title)
  expect(text).toContain('Otro')
})

test('upload: a title that does not fit with its file name says that it was shortened', async ({
  demo,
  person,
}) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle('Largo').padEnd(190, 'ñ')
  const { type, body } = await formOf(clerk, title, [
    file('poder para pleitos y cobranzas.pdf', aPdf()),
    file('a.pdf', aPdf()),
  ])
  const headers = { 'Content-Type': type, 'Content-Length': body.length, Origin: demo.origin }
  const { status, text } = await clerk.raw(NEW, { method: 'POST', headers, body })
  expect(status).toBe(200)
  expect(text.match(/<p>El título no cabía entero y se acortó\./g)).toHaveLength(1)
})
