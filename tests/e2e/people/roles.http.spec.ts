import { readFileSync } from 'node:fs'
import { aPdf, aTitle, signingParts } from '#tests/e2e/support/deeds.ts'
import { expect, type Role } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { test } from '#tests/e2e/support/newcomers.ts'
import { ROLES } from '#tests/e2e/support/site-map.ts'

const FORBIDDEN = 'No tiene permisos para realizar esta acción.'

/** A page and the roles that may open it; the page exists for every valid session. */
const PAGES: Record<string, readonly Role[]> = {
  '/dashboard': ROLES,
  '/dashboard/documents': ROLES,
  '/dashboard/documents/new': ['NOTARY', 'LAWYER', 'CLERK'],
  '/dashboard/signing': ROLES,
  '/dashboard/signing/new': ['NOTARY', 'LAWYER', 'CLERK'],
  '/dashboard/certificates': ROLES,
  '/dashboard/users': ROLES,
  '/dashboard/alerts': ROLES,
  '/dashboard/search': ROLES,
  '/dashboard/obligations': ROLES,
  '/dashboard/audit': ROLES,
  '/dashboard/reports': ROLES,
  '/dashboard/arco': ['ADMIN', 'NOTARY', 'LAWYER', 'AUDITOR'],
  '/dashboard/arco/new': ['ADMIN', 'NOTARY', 'LAWYER'],
  '/dashboard/consents': ['ADMIN', 'NOTARY', 'AUDITOR'],
  '/dashboard/retention': ['ADMIN', 'NOTARY', 'AUDITOR'],
  '/dashboard/settings': ROLES,
  '/dashboard/settings/roles': ROLES,
  '/dashboard/settings/authorities': ROLES,
  '/dashboard/settings/providers': ROLES,
  '/dashboard/profile': ROLES,
}

for (const role of ROLES)
  test(`${role}: sees its pages and gets the 403 message on the others`, async ({
    demo,
    person,
  }) => {
    const client = await signedInClient(
      demo.origin,
      person(role === 'ADMIN' ? 'administrador' : role),
    )
    for (const [path, allowed] of Object.entries(PAGES)) {
      const { status, text } = await client.get(path)
      const isAllowed = allowed.includes(role)
      expect([path, status]).toEqual([path, isAllowed ? 200 : 403])
      expect([path, text.includes(FORBIDDEN)]).toEqual([path, !isAllowed])
      expect([path, text.includes('Notario: ')]).toEqual([path, true])
    }
  })

/** Roles that see all data of all users and the whole log; the others see names and their own events. */
const OVERSEERS: readonly Role[] = ['ADMIN', 'NOTARY', 'AUDITOR']

for (const role of ROLES)
  test(`${role}: sees users, certificates and audit events within its rights`, async ({
    demo,
    person,
  }) => {
    const isOverseer = OVERSEERS.includes(role)
    const [own, other] = [person(role === 'ADMIN' ? 'administrador' : role), person('suplente')]
    await signedInClient(demo.origin, other)
    const client = await signedInClient(demo.origin, own)
    const users = inMain(await client.get('/dashboard/users'))
    expect(users).toContain(other.lastName)
    expect(users).toContain('Notario suplente')
    expect(users.includes(other.email)).toBe(isOverseer)
    expect(users.includes('Correo electrónico')).toBe(isOverseer)
    const certificates = await client.get('/dashboard/certificates')
    expect(certificates.text.includes('Reservado')).toBe(!isOverseer)
    const log = inMain(await client.get('/dashboard/audit'))
    expect(log).toContain(own.lastName)
    expect(log.includes(other.lastName)).toBe(isOverseer)
  })

const inMain = ({ text }: { text: string }) =>
  text.slice(text.indexOf('<main'), text.indexOf('</main'))

test('users without the right to sign are refused by page, form and call', async ({
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const address = `/dashboard/documents/${deed.id}`
  for (const who of ['CLERK', 'AUDITOR', 'administrador'] as const) {
    const user = person(who)
    const client = await signedInClient(demo.origin, user)
    const { status, text } = await client.get(address)
    expect([who, status]).toEqual([who, 200])
    expect([who, text.includes(`href="${address}/sign"`)]).toEqual([who, false])
    for (const path of [`${address}/sign`, `${address}/sign/without-scripts`]) {
      const page = await client.get(path)
      expect([who, path, page.status]).toEqual([who, path, 403])
      expect(page.text).toContain(FORBIDDEN)
    }
    const forms = [
      await client.postParts(`${address}/sign/without-scripts`, signingParts(user)),
      await client.post(`${address}/sign/prepare`, { version: '1', certificate: 'AAAA' }),
    ]
    for (const form of forms) {
      expect([who, form.status]).toEqual([who, 403])
      expect(form.text).toContain(FORBIDDEN)
    }
  }
  const notary = await signedInClient(demo.origin, person('NOTARY'))
  const { text } = await notary.get(address)
  expect(text).toContain('Nadie ha firmado este documento.')
  expect(text).toContain(`href="${address}/sign"`)
})

test('users without the right to upload are refused by page and form', async ({
  demo,
  person,
  rows,
}) => {
  for (const who of ['AUDITOR', 'administrador'] as const) {
    const client = await signedInClient(demo.origin, person(who))
    const list = await client.get('/dashboard/documents')
    expect([who, list.text.includes('/dashboard/documents/new')]).toEqual([who, false])
    const title = aTitle(`De ${who}`)
    const { status, text } = await client.postParts('/dashboard/documents/new', [
      { name: 'title', content: title },
      { name: 'kind', content: 'act' },
      { name: 'file', fileName: 'a.pdf', content: aPdf() },
    ])
    expect([who, status]).toEqual([who, 403])
    expect(text).toContain(FORBIDDEN)
    expect(rows.all('select id from documents where title = ?', title)).toEqual([])
  }
})

test('a refusal is recorded in the audit log', async ({ demo, person, uploadedDeed }) => {
  const deed = await uploadedDeed()
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  await clerk.post(`/dashboard/documents/${deed.id}/sign/prepare`, {
    version: '1',
    certificate: 'AAAA',
  })
  const auditor = await signedInClient(demo.origin, person('AUDITOR'))
  const { text } = await auditor.get(`/dashboard/audit?subject=${deed.id}`)
  expect(text).toContain('Acceso negado')
  expect(text).toContain('Iván Castañeda Cruz')
})

test('a signature prepared by one user cannot be completed by another', async ({
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const address = `/dashboard/documents/${deed.id}/sign`
  const titular = await signedInClient(demo.origin, person('titular'))
  const certificate = readFileSync(person('titular').cer).toString('base64')
  const prepared = await titular.post(`${address}/prepare`, { version: '1', certificate })
  expect(prepared.status).toBe(200)
  const { id } = JSON.parse(prepared.text)
  const suplente = await signedInClient(demo.origin, person('suplente'))
  const stolen = await suplente.post(`${address}/complete`, {
    preparedId: id,
    signature: Buffer.alloc(256, 1).toString('base64'),
  })
  expect(stolen.status).toBe(404)
  const busy = await suplente.post(`${address}/prepare`, {
    version: '1',
    certificate: readFileSync(person('suplente').cer).toString('base64'),
  })
  expect(busy.status).toBe(409)
  expect(busy.text).toContain('Otra persona está firmando este documento.')
  const wrong = await titular.post(`${address}/complete`, {
    preparedId: id,
    signature: Buffer.alloc(256, 1).toString('base64'),
  })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('La firma no corresponde a lo que se iba a firmar.')
  expect((await titular.get(`/dashboard/documents/${deed.id}`)).text).toContain('Nadie ha firmado')
})

test('a refused form or page is one event, although its page is refused too', async ({
  demo,
  person,
  rows,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const address = `/dashboard/documents/${deed.id}`
  const auditor = await signedInClient(demo.origin, person('AUDITOR'))
  const answers = [
    await auditor.get('/dashboard/documents/new'),
    await auditor.post(`${address}/cancel`, { reason: 'Un motivo cualquiera.' }),
    await auditor.post(`${address}/edit`, { title: 'Otro', kind: 'act', seen: '0'.repeat(64) }),
    await auditor.post('/dashboard/signing/new', { title: 'Sesión', document: deed.id }),
    await auditor.postParts(`${address}/sign/without-scripts`, signingParts(person('titular'))),
  ]
  for (const { status, text, headers } of answers) {
    expect([status, text.includes(FORBIDDEN)]).toEqual([403, true])
    expect(rows.actions(String(headers['x-request-id']))).toEqual(['access.refused (refused)'])
  }
})
