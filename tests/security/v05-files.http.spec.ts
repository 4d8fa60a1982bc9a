import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { aPdf, aTitle, sha256Of } from '#tests/e2e/support/deeds.ts'
import { type Client, expect, test } from './support/suite.ts'

const upload = (client: Client, fileName: string, content: string | Uint8Array) =>
  client.postParts('/dashboard/documents/new', [
    { name: 'title', content: aTitle() },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName, content },
  ])

test('V5.2.2 upload of a file that is not a PDF: refused under any name', async ({
  enter,
  newcomer,
  person,
  rows,
}) => {
  const clerk = await enter(newcomer)
  const { cer, key } = person('titular')
  const count = () => rows.all<{ n: number }>('select count(*) as n from documents')[0]?.n
  const before = count()
  const files: [string, string | Uint8Array][] = [
    ['pagina.pdf', '<!doctype html><script>alert(1)</script>'],
    ['programa.pdf', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
    ['archivo.pdf', Buffer.from('504b0304140000000800', 'hex')],
    ['imagen.pdf', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['e.pdf', readFileSync(cer)],
    ['e.pdf', readFileSync(key)],
    ['vacio.pdf', ''],
    [
      'html-primero.pdf',
      Buffer.concat([Buffer.from(`<script>alert(1)</script>${' '.repeat(2_000)}`), aPdf()]),
    ],
  ]
  for (const [name, content] of files) {
    const { status, text } = await upload(clerk, name, content)
    expect([name, status]).toEqual([name, 422])
    expect(text).not.toContain('<script>alert(1)')
  }
  expect(count()).toBe(before)
})

test('V5.3.1 uploaded files: sent as downloads that no browser opens or runs', async ({
  enter,
  newcomer,
}) => {
  const clerk = await enter(newcomer)
  const { headers } = await upload(clerk, 'escritura.html', aPdf())
  const file = await clerk.get(`${headers.location}/download/1`)
  expect(file.status).toBe(200)
  expect(file.headers['content-type']).toBe('application/pdf')
  expect(file.headers['content-disposition']).toMatch(/^attachment; filename="[^"]*\.pdf"/)
  expect(file.headers['x-content-type-options']).toBe('nosniff')
  expect(file.headers['content-security-policy']).toContain("default-src 'none'")
})

test('V5.3.2 storage paths: independent of the uploaded file name', async ({
  enter,
  newcomer,
  guarded,
}) => {
  const clerk = await enter(newcomer)
  const kept: string[] = []
  for (const name of [
    '../../x.pdf',
    'C:\\x.pdf',
    'con.pdf',
    '/etc/passwd.pdf',
    `${'ñ'.repeat(120)}.pdf`,
    'a%00b.pdf',
    '.pdf',
  ]) {
    const bytes = aPdf()
    expect([name, (await upload(clerk, name, bytes)).status]).toEqual([name, 303])
    kept.push(sha256Of(bytes))
  }
  const lying = readdirSync(path.join(guarded.server.dataFolder, 'blobs'), {
    recursive: true,
    withFileTypes: true,
  })
  const files = lying.filter((entry) => entry.isFile()).map(({ name }) => name)
  // A keyed digest, which says nothing about the content either.
  expect(files.filter((name) => kept.includes(name))).toEqual([])
  expect(files.length).toBeGreaterThanOrEqual(kept.length)
  // Beside them lies the id of the store alone.
  for (const name of files) expect(name).toMatch(/^(?:[0-9a-f]{64}-[0-9a-f]{16}|store-id)$/)
  // Existing files above the folder of the assets and above its parent.
  for (const up of ['..%2f', '%2e%2e/', '%2e%2e%2f', '....//'])
    for (const levels of [2, 3, 12])
      for (const target of ['package.json', 'etc/passwd', 'secrets/master.key'])
        for (const base of ['/assets/', '/dashboard/documents/', '/']) {
          const address = base + up.repeat(levels) + target
          expect([address, (await clerk.get(address)).status]).toEqual([address, 404])
        }
})

test('V5.4.1 download name: injects no header and no second name', async ({ enter, newcomer }) => {
  const clerk = await enter(newcomer)
  for (const name of [
    'a%22; filename=%22x.html',
    "ñ'; filename*=x",
    'a;b=c.pdf',
    'a.pdf\tX-Evil: 1',
  ]) {
    const { headers, status } = await upload(clerk, name, aPdf())
    expect([name, status]).toEqual([name, 303])
    const file = await clerk.get(`${headers.location}/download/1`)
    const disposition = file.headers['content-disposition'] ?? ''
    expect(disposition).toMatch(
      /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.~!#$&+^`|-]*$/,
    )
    expect(file.headers['x-evil']).toBeUndefined()
  }
})

test('V5.4.2 download: returns the stored bytes of that version only', async ({
  enter,
  newcomer,
}) => {
  const clerk = await enter(newcomer)
  const bytes = aPdf()
  const { headers } = await upload(clerk, 'a.pdf', bytes)
  const address = `${headers.location}/download/1`
  const whole = await clerk.get(address)
  expect([whole.status, Number(whole.headers['content-length'])]).toEqual([200, bytes.length])
  expect(whole.text).toBe(Buffer.from(bytes).toString('utf8'))
  for (const version of ['0', '2', '-1', '1%2f..', 'x'])
    expect([version, (await clerk.get(`${headers.location}/download/${version}`)).status]).toEqual([
      version,
      404,
    ])
})
