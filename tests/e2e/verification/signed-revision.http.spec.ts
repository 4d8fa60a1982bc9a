import { createHash } from 'node:crypto'
import { downloadVersion } from '#tests/e2e/support/deeds.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { clientOf, signedInClient } from '#tests/e2e/support/http.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('signed revision: can be downloaded on its own', async ({ demo, person, signedDeed }) => {
  const deed = await signedDeed(person('titular'), person('suplente'))
  const client = await signedInClient(demo.origin, person('CLERK'))
  const page = await client.get(`/dashboard/documents/${deed.id}`)
  for (const place of [1, 2]) {
    const path = `/dashboard/documents/${deed.id}/revision/${place}.pdf`
    expect(page.text).toContain(path)
    const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(demo.origin + path, { headers: { Cookie: cookie } })
    expect(answer.headers.get('content-disposition')).toContain(`firma ${place}.pdf`)
    const revision = new Uint8Array(await answer.arrayBuffer())
    // Each signature made a version of its own, and nothing was added to it.
    expect(sha256(revision)).toBe(sha256(await downloadVersion(client, deed, place + 2)))
  }
  for (const other of ['3.pdf', '0.pdf', 'x.pdf', '1'])
    expect((await client.get(`/dashboard/documents/${deed.id}/revision/${other}`)).status).toBe(404)
  const stranger = await clientOf(demo.origin).get(`/dashboard/documents/${deed.id}/revision/1.pdf`)
  expect(stranger.status).toBe(302)
})
