import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import {
  aPdf,
  aTitle,
  downloadVersion,
  idIn,
  sha256Of,
  signDeed,
  signingParts,
} from '#tests/e2e/support/deeds.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import {
  type Answered,
  type Client,
  clientOf,
  multipart,
  type Part,
  signedInClient,
} from '#tests/e2e/support/http.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

const TOO_LARGE = 'Lo enviado supera el tamaño permitido. No se guardó nada.'
const BROKEN = 'La solicitud llegó incompleta o dañada. No se guardó nada; intente de nuevo.'
const NOT_FOUND = 'El recurso solicitado no fue encontrado.'
const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** Expects this status and a Spanish page or sentence without internals. */
function expectAnswer({ status, text, headers }: Answered, wanted: number, sentence?: string) {
  expect(status).toBe(wanted)
  if (sentence) expect(text.includes(sentence), sentence).toBe(true)
  const inside = /\bat (?:[\w.<>]+ \()?(?:file:|node:|\/)|node_modules|SQLITE|select .* from/i
  expect(inside.exec(text)?.[0]).toBeUndefined()
  const shown = text.replace(/<script[\s\S]*?<\/script>/g, '')
  const english = /Error:|Bad Request|Not Found|Internal Server|Unexpected Server|Forbidden/
  expect(english.exec(shown)?.[0]).toBeUndefined()
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['x-powered-by']).toBeUndefined()
}

const upload = (client: Client, content: Uint8Array | string, title = aTitle(), name = 'a.pdf') =>
  client.postParts('/dashboard/documents/new', [
    { name: 'title', content: title },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: name, content },
  ])

test('10 MB field: refused by every form that reads it', async ({ demo, person }) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const large = 'a'.repeat(10 * 1024 * 1024)
  const stranger = clientOf(demo.origin)
  expectAnswer(await stranger.post('/login', { email: large, password: 'x' }), 413, TOO_LARGE)
  expectAnswer(await stranger.post('/login', { email: 'a@b.mx', password: large }), 413, TOO_LARGE)
  const parts: Part[] = [
    { name: 'title', content: large },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'a.pdf', content: aPdf() },
  ]
  expectAnswer(await clerk.postParts('/login', parts), 303)
  expectAnswer(await clerk.postParts('/dashboard/documents/new', parts), 413, TOO_LARGE)
  expectAnswer(await clerk.post('/theme', { theme: large }), 303)
  expectAnswer(await clerk.post('/logout', { more: large }), 303)
  expect((await clerk.get('/dashboard')).status).toBe(200)
})

test('many fields: the form is refused within two seconds', async ({ demo }) => {
  const stranger = clientOf(demo.origin)
  const csrf = await stranger.token('/login')
  const address = '/login'
  for (const body of [`csrf=${csrf}${'&a=b'.repeat(130_000)}`, `csrf=${csrf}${'&a'.repeat(64)}`]) {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: stranger.origin,
    }
    const start = performance.now()
    expectAnswer(await stranger.raw(address, { method: 'POST', headers, body }), 400, BROKEN)
    expect(performance.now() - start).toBeLessThan(2_000)
  }
  const parts = Array.from({ length: 65 }, (): Part => ({ name: 'a', content: 'b' }))
  expectAnswer(await stranger.postParts(address, parts), 400, BROKEN)
})

test('document over the limit: refused, and nothing of it is stored', async ({ demo, person }) => {
  test.slow()
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle('Enorme')
  const csrf = await clerk.token('/dashboard/documents/new')
  const { type, body } = multipart([
    { name: 'csrf', content: csrf },
    { name: 'title', content: title },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'enorme.pdf', content: '%PDF-1.7\n' },
  ])
  const end = Buffer.from(body).lastIndexOf('\r\n--')
  const megabyte = Buffer.alloc(1024 * 1024, '%')
  async function* content() {
    yield body.subarray(0, end)
    for (let sent = 0; sent < 201; sent += 1) yield megabyte
    yield body.subarray(end)
  }
  const answer = await clerk.raw('/dashboard/documents/new', {
    method: 'POST',
    headers: {
      'Content-Type': type,
      'Content-Length': body.length + 201 * megabyte.length,
      Origin: demo.origin,
    },
    body: Readable.from(content()),
  })
  expectAnswer(answer, 413, 'El archivo supera el límite de 200 MB. No se guardó nada;')
  expect(documentsOf(title)).toEqual([])
  await expectNoLeftovers()
})

test('methods: a page refuses those that it does not support', async ({
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const paths = ['/', '/login', '/dashboard/documents', `/dashboard/documents/${deed.id}`]
  for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])
    for (const path of [...paths, `/dashboard/documents/${deed.id}/sign/prepare`]) {
      const answer = await clerk.raw(path, { method, headers: { Origin: demo.origin } })
      expect([method, path, answer.status]).toEqual([method, path, 405])
      expectAnswer(answer, 405)
    }
  for (const path of paths) expectAnswer(await clerk.raw(path, { method: 'OPTIONS' }), 405)
  for (const path of ['/', '/dashboard']) {
    const headers = { Origin: demo.origin, 'Content-Type': 'application/x-www-form-urlencoded' }
    const answer = await clerk.raw(path, { method: 'POST', headers, body: 'a=1' })
    expect([path, answer.status]).toEqual([path, 405])
    expectAnswer(answer, 405)
  }
  for (const path of ['prepare', 'complete']) {
    const answer = await clerk.get(`/dashboard/documents/${deed.id}/sign/${path}`)
    expectAnswer(answer, 405, 'Esta dirección no es una página.')
  }
})

test('truncated PDF: refused on upload', async ({ demo, person }) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle('Cortada')
  const answer = await upload(clerk, aPdf().subarray(0, 900), title)
  expectAnswer(answer, 422, 'El PDF está dañado o incompleto y no se puede leer.')
  expect(documentsOf(title)).toEqual([])
})

test('page image: cached privately and revalidated each time', async ({
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const address = `/dashboard/documents/${deed.id}/pages/1.png?version=1`
  const first = await clerk.get(address)
  expect([first.status, first.headers['content-type']]).toEqual([200, 'image/png'])
  expect(first.headers['cache-control']).toBe('private, no-cache')
  const held = { 'If-None-Match': first.headers.etag }
  const again = await clerk.get(address, held)
  expect([again.status, again.text]).toEqual([304, ''])
  await clerk.post('/logout', {})
  expect((await clerk.get(address, held)).status).toBe(302)
})

test('malformed forms: answered with 400, and nothing is stored', async ({ demo, person }) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle('Cortado')
  const csrf = await clerk.token('/dashboard/documents/new')
  const { type, body } = multipart([
    { name: 'csrf', content: csrf },
    { name: 'title', content: title },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'a.pdf', content: aPdf() },
  ])
  const bad: [string, string | Uint8Array][] = [
    [type, body.subarray(0, body.length - 60)],
    [type, 'nada de esto es multipart'],
    ['multipart/form-data', body],
    ['multipart/form-data; boundary=otra', body],
    ['application/json', '{"title":"a"}'],
    ['text/plain', 'title=a'],
    ['', body],
  ]
  for (const path of ['/dashboard/documents/new', '/verify/document', '/dashboard/profile'])
    for (const [contentType, content] of bad) {
      const headers = {
        Origin: demo.origin,
        'Content-Length': content.length,
        ...(contentType && { 'Content-Type': contentType }),
      }
      const answer = await clerk.raw(path, { method: 'POST', headers, body: content })
      expectAnswer(answer, 400)
    }
  expect(documentsOf(title)).toEqual([])
  const empty = await clerk.raw('/dashboard/documents/new', {
    method: 'POST',
    headers: { Origin: demo.origin, 'Content-Type': type, 'Content-Length': 0 },
  })
  expectAnswer(empty, 400, BROKEN)
})

test('interrupted body: fails that request only and leaves no file', async ({ demo, person }) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle('Roto')
  const csrf = await clerk.token('/dashboard/documents/new')
  const { type, body } = multipart([
    { name: 'csrf', content: csrf },
    { name: 'title', content: title },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'a.pdf', content: Buffer.concat([aPdf(), Buffer.alloc(300_000)]) },
  ])
  async function* breakingOff() {
    yield body.subarray(0, 200_000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    throw new Error('the cable was pulled')
  }
  for (const path of ['/dashboard/documents/new', '/verify/document', '/dashboard/profile']) {
    const sent = clerk.raw(path, {
      method: 'POST',
      headers: { 'Content-Type': type, 'Content-Length': body.length, Origin: demo.origin },
      body: Readable.from(breakingOff()),
    })
    await expect(sent).rejects.toThrow('the cable was pulled')
  }
  expectAnswer(await clerk.get('/dashboard/documents'), 200)
  expect(documentsOf(title)).toEqual([])
  await expectNoLeftovers()
})

/** The documents with this title, as the database has them. */
function documentsOf(title: string): unknown[] {
  const rows = officeDatabase(process.env.DEMO_DATA ?? '')
  try {
    return rows.all('select id from documents where title = ?', title)
  } finally {
    rows.close()
  }
}

/** Other tests upload at the same time; a leftover of a refused file would stay. */
async function expectNoLeftovers() {
  const incoming = path.join(process.env.DEMO_DATA ?? '', 'blobs/incoming')
  const left = () =>
    readdirSync(incoming, { recursive: true, withFileTypes: true })
      // Parts of uploads that other tests have not finished are no litter.
      .filter((entry) => entry.isFile() && path.basename(entry.parentPath) !== 'uploads')
      .map(({ name }) => name)
  await expect.poll(left, { timeout: 20_000 }).toEqual([])
}

test('NUL, lone surrogates and overlong values: refused or harmless', async ({ demo, person }) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  expectAnswer(await upload(clerk, aPdf(), 'Título\0con NUL'), 400, BROKEN)
  expectAnswer(await clerk.post('/login', { email: 'a\0@b.mx', password: 'x' }), 303)
  const stranger = clientOf(demo.origin)
  expectAnswer(await stranger.post('/login', { email: 'a\0@b.mx', password: 'x' }), 400, BROKEN)
  for (const query of ['code=%00', 'code=a%00b', 'code=%ED%A0%80'])
    expectAnswer(await stranger.get(`/verify/document?${query}`), 422, 'no está completo')
  const long = '9'.repeat(5000)
  expectAnswer(await stranger.get(`/verify/document?code=${long}`), 422, 'Escriba el código')
  for (const query of ['text=%00', 'text=%ED%A0%80', 'behind=%00', 'state=nada', 'behind=x'])
    expectAnswer(await clerk.get(`/dashboard/documents?${query}`), 200)
  for (const query of ['show=x', 'show=all&state=nada', 'show=all&behind=%00', 'show=all&behind=x'])
    expectAnswer(await clerk.get(`/dashboard/signing?${query}`), 200)
  const auditor = await signedInClient(demo.origin, person('AUDITOR'))
  for (const query of ['before=x', 'before=-1', 'before=1e99', 'subject=%00', 'subject=x'])
    for (const reader of [clerk, auditor])
      expectAnswer(await reader.get(`/dashboard/audit?${query}`), 200)

  const odd = await upload(
    clerk,
    aPdf(),
    aTitle('<script>alert(1)</script>'),
    `../../${'ñ'.repeat(300)}.pdf`,
  )
  expectAnswer(odd, 303)
  const page = await clerk.get(odd.headers.location ?? '')
  expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page.text).not.toContain('<script>alert(1)</script>')
  expectAnswer(page, 200)
  const file = await clerk.get(`/dashboard/documents/${idIn(odd.headers.location)}/download/1`)
  expect(file.headers['content-disposition']).toMatch(
    /^attachment; filename="n+\.pdf"; filename\*=UTF-8''(?:%C3%B1)+\.pdf$/,
  )
})

test('unknown ids: not found', async ({ demo, person, uploadedDeed }) => {
  const deed = await uploadedDeed()
  const notary = await signedInClient(demo.origin, person('titular'))
  for (const id of [NOWHERE, 'x', '%00', '..%2f..%2fetc', "'%20or%201=1", deed.id.toUpperCase()])
    for (const rest of [
      '',
      '/sign',
      '/sign/without-scripts',
      '/pages/1.png?version=1',
      '/download/1',
    ])
      expectAnswer(await notary.get(`/dashboard/documents/${id}${rest}`), 404, NOT_FOUND)
  for (const rest of [
    '/pages/3.png?version=1',
    '/pages/0.png?version=1',
    '/pages/1.png',
    '/pages/1.png?version=2',
    '/pages/1.jpg?version=1',
    '/pages/1.png?version=-1',
    '/pages/1.png?version=1&width=801',
    '/pages/1.png?version=1&width=1e9',
    '/pages/1.png?version=1&region=3,0,0',
    '/pages/1.png?version=1&giro=45',
    '/text?version=2',
    '/text?version=1&pagina=3',
    '/text',
    '/download/2',
    '/download/0',
    '/download/x',
  ])
    expectAnswer(await notary.get(`/dashboard/documents/${deed.id}${rest}`), 404, NOT_FOUND)
  for (const id of [NOWHERE, 'x', '%00', '7K3F-9QZA-4M0T-XW2B']) {
    const answer = await notary.get(`/verify/${id}`)
    expectAnswer(answer, 404, 'No encontrado.')
  }
  for (const path of ['/%', '/%c0%ae', '/dashboard/%', '/assets/%2e%2e%2fserver', '/verify/%'])
    expectAnswer(await notary.get(path), 404)
  const end = await notary.post('/dashboard/profile', { sessionId: NOWHERE })
  expectAnswer(end, 404, NOT_FOUND)
  const forms = { 'profile/keys': { change: 'remove' }, users: { intent: 'end-sessions' } }
  for (const [page, form] of Object.entries(forms))
    for (const id of [NOWHERE, 'x']) {
      expectAnswer(await notary.get(`/dashboard/${page}/${id}`), 404, NOT_FOUND)
      expectAnswer(await notary.post(`/dashboard/${page}/${id}`, form), 404, NOT_FOUND)
    }
})

test('stale version: not signed', async ({ demo, person, uploadedDeed }) => {
  const deed = await uploadedDeed()
  const [titular, suplente] = [person('titular'), person('suplente')]
  const signers = [titular, suplente].map(({ firstName, lastName }, index) => ({
    colleague: `${firstName} ${lastName}`,
    step: index + 1,
  }))
  // The session appends the sheet: version 2. Signatures of its other signers may follow, another text may not.
  await openSession(demo.origin, person('CLERK'), [deed], signers)
  await signDeed(demo.origin, deed, titular, 2)
  const client = await signedInClient(demo.origin, suplente)
  const address = `/dashboard/documents/${deed.id}/sign`
  const MOVED =
    'El documento cambió mientras usted lo tenía abierto. Revise la versión actual y firme de nuevo.'
  const certificate = readFileSync(suplente.cer).toString('base64')
  expectAnswer(await client.post(`${address}/prepare`, { version: '1', certificate }), 409, MOVED)
  expectAnswer(
    await client.postParts(`${address}/without-scripts`, signingParts(suplente, { version: '1' })),
    409,
    MOVED,
  )
  for (const version of ['0', '-1', 'x', '9'.repeat(30)]) {
    expectAnswer(await client.post(`${address}/prepare`, { version, certificate }), 400)
  }
  const { text } = await client.get(`/dashboard/documents/${deed.id}`)
  expect(new Set(text.match(/versión \d+/g))).toEqual(new Set(['versión 3']))
})

test('signing sent twice at once: stored once', async ({ demo, person, uploadedDeed }) => {
  const deed = await uploadedDeed()
  const notary = person('titular')
  const client = await signedInClient(demo.origin, notary)
  await client.post('/theme', { theme: 'system' })
  const answers = await Promise.all(
    Array.from({ length: 3 }, () =>
      client.postParts(
        `/dashboard/documents/${deed.id}/sign/without-scripts`,
        signingParts(notary),
      ),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409])
  for (const answer of answers.filter(({ status }) => status !== 303)) expectAnswer(answer, 409)
  const { text } = await client.get(`/dashboard/documents/${deed.id}`)
  expect(text).toContain('>Firmado<')
  await expect(downloadVersion(client, deed, 3)).rejects.toThrow('404')
  const first = await downloadVersion(client, deed, 1)
  expect(sha256Of(first)).toBe(deed.sha256)
})

test('range requests of a download', async ({ demo, person, uploadedDeed }) => {
  const deed = await uploadedDeed()
  const client = await signedInClient(demo.origin, person('CLERK'))
  const address = `/dashboard/documents/${deed.id}/download/1`
  const some = await client.get(address, { Range: 'bytes=0-7' })
  expect([some.status, some.text]).toEqual([206, '%PDF-1.7'])
  expect(some.headers['content-range']).toBe(`bytes 0-7/${deed.bytes.length}`)
  expect((await client.get(address, { Range: 'bytes=99999999-' })).status).toBe(416)
  expect((await client.get(address, { Range: 'bytes=x' })).status).toBe(200)
  const head = await client.raw(address, { method: 'HEAD' })
  expect([head.status, head.text]).toEqual([200, ''])
  expect(head.headers['content-length']).toBe(String(deed.bytes.length))
})
