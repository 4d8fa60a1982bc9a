import { signedInClient } from './support/http.ts'
import { ROLES } from './support/site-map.ts'
import { expect, test } from './support/story.ts'

const PATHS = [
  '/dashboard/settings/providers/new',
  '/dashboard/settings/providers/00000000-0000-4000-8000-000000000000',
  '/dashboard/settings/timestamps',
  '/dashboard/settings/server-signing',
  '/dashboard/settings/second-factor',
  '/dashboard/settings/office',
  '/dashboard/settings/upload-limit',
  '/dashboard/settings/idle',
  '/dashboard/settings/session-length',
]

test('no other role reaches what decides for the office', async ({ demo, person }) => {
  for (const role of ROLES.filter((role) => role !== 'ADMIN')) {
    const client = await signedInClient(demo.origin, person(role === 'NOTARY' ? 'suplente' : role))
    for (const path of PATHS) {
      for (const sent of [path, `${path}.data`]) {
        const page = await client.get(sent)
        expect([role, sent, page.text.includes('Contraseña del proveedor')]).toEqual([
          role,
          sent,
          false,
        ])
      }
      const form = { intent: 'remove', timestampPolicy: 'none' }
      const answer = await client.post(path, form)
      expect([role, path, answer.status === 200]).toEqual([role, path, false])
    }
    const settings = await client.get('/dashboard/settings')
    expect([role, settings.text.includes('Sellos de tiempo y constancias')]).toEqual([role, true])
    expect([role, settings.text.includes('Agregar proveedor')]).toEqual([role, false])
  }
})

test('one that nobody added is not there', async ({ demo, person }) => {
  const client = await signedInClient(demo.origin, person('administrador'))
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nada', '%00']) {
    const path = `/dashboard/settings/providers/${id}`
    expect([id, (await client.get(path)).status]).toEqual([id, 404])
    expect([id, (await client.post(path, { intent: 'remove' })).status]).toEqual([id, 404])
  }
})
