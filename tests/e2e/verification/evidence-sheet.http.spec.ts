import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { clientOf, signedInClient } from '#tests/e2e/support/http.ts'
import { judge } from '#tests/support/judges.ts'

test('evidence sheet: is a separate PDF of the signed document', async ({
  demo,
  person,
  signedDeed,
}) => {
  const deed = await signedDeed(person('titular'), person('suplente'))
  const client = await signedInClient(demo.origin, person('CLERK'))
  const sheet = `/dashboard/documents/${deed.id}/evidence.pdf`
  const page = await client.get(`/dashboard/documents/${deed.id}`)
  expect(page.text).toContain(sheet)
  expect(page.text).toContain('Hoja de evidencia (PDF)')

  const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
  const answer = await fetch(demo.origin + sheet, { headers: { Cookie: cookie } })
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toContain('hoja de evidencia')
  const place = path.join(mkdtempSync(path.join(tmpdir(), 'rubrica-evidence-')), 'sheet.pdf')
  writeFileSync(place, new Uint8Array(await answer.arrayBuffer()))
  const { output } = judge('pdftotext')('-layout', place, '-')
  for (const part of [deed.title, 'Cadena original', 'Sello digital', 'DOCUMENTO DE PRUEBA'])
    expect(output.replace(/\s+/g, ' ')).toContain(part)

  const stranger = await clientOf(demo.origin).get(sheet)
  expect(stranger.status).toBe(302)
  const unknown = '/dashboard/documents/3f0e7f0a-52c4-4b54-9f0e-6d1c92d5a7b1/evidence.pdf'
  expect((await client.get(unknown)).status).toBe(404)
})
