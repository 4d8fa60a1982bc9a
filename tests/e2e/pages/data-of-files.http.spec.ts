import { expect } from '#tests/e2e/support/fixtures.ts'
import { clientOf, signedInClient } from '#tests/e2e/support/http.ts'
import { test } from '#tests/e2e/support/newcomers.ts'

test('files: have no data for the navigation of the client, which would read them into memory', async ({
  demo,
  person,
  rows,
  signedDeed,
}) => {
  const deed = await signedDeed()
  const notary = await signedInClient(demo.origin, person('titular'))
  const stranger = clientOf(demo.origin)
  const address = `/dashboard/documents/${deed.id}`
  for (const [client, path, wanted] of [
    [notary, `${address}/download/1`, 200],
    [notary, `${address}/evidence.zip`, 200],
    [notary, `${address}/evidence.pdf`, 200],
    [notary, '/dashboard/audit/bitacora.csv', 200],
    [stranger, `/verify/${deed.id}/report.pdf`, 200],
    [stranger, '/api/v1/auth/health', 200],
    [stranger, '/sign/documents/x/download/1', 303],
  ] as const) {
    expect([path, (await client.get(path)).status]).toEqual([path, wanted])
    const { status, headers } = await client.get(`${path}.data`)
    expect([path, status]).toEqual([path, 404])
    expect(rows.actions(String(headers['x-request-id']))).toEqual([])
  }
  // A page has.
  expect((await notary.get(`${address}.data`)).status).toBe(200)
  expect((await notary.get('/dashboard.data')).status).toBe(200)
})
