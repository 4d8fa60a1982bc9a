import { signedInClient } from './support/http.ts'
import { ROLES } from './support/site-map.ts'
import { expect, test } from './support/story.ts'

const PATHS = [
  '/dashboard/settings/authorities/new',
  `/dashboard/settings/authorities/${'0'.repeat(64)}`,
]

test('no other role reaches what decides about authorities', async ({ demo, person }) => {
  for (const role of ROLES.filter((role) => role !== 'ADMIN')) {
    const client = await signedInClient(demo.origin, person(role === 'NOTARY' ? 'suplente' : role))
    for (const path of PATHS) {
      for (const sent of [path, `${path}.data`]) {
        const page = await client.get(sent)
        expect([role, sent, page.text.includes('Archivo de la autoridad')]).toEqual([
          role,
          sent,
          false,
        ])
      }
      const form = { kind: 'remove', reason: 'Un motivo bastante largo' }
      const answer = await client.post(path, form)
      expect([role, path, answer.status === 200]).toEqual([role, path, false])
    }
    const settings = await client.get('/dashboard/settings')
    expect([role, settings.text.includes('Autoridades de confianza')]).toEqual([role, true])
    expect([role, settings.text.includes('Importar autoridades')]).toEqual([role, false])
  }
})

test('one that nobody brought is not there', async ({ demo, person }) => {
  const client = await signedInClient(demo.origin, person('administrador'))
  for (const id of ['0'.repeat(64), 'nada', '%00']) {
    const path = `/dashboard/settings/authorities/${id}`
    expect([id, (await client.get(path)).status]).toEqual([id, 404])
    const form = { kind: 'remove', reason: 'Un motivo bastante largo' }
    expect([id, (await client.post(path, form)).status]).toEqual([id, 404])
  }
})

test('the authority of the demo says on its own origin what it revoked', async ({ demo }) => {
  for (const [address, type, reply] of [
    [demo.services.ocsp, 'application/ocsp-request', 'application/ocsp-response'],
    [demo.services.timestamps, 'application/timestamp-query', 'application/timestamp-reply'],
  ] as const) {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: new Uint8Array([0x30, 0]),
    })
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, reply])
    expect(
      (
        await fetch(address, {
          method: 'POST',
          body: 'x'.repeat(100_000),
          headers: { 'Content-Type': type },
        })
      ).status,
    ).toBe(413)
  }
})
