import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aPdf, downloadVersion } from '#tests/e2e/support/deeds.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { clientOf, multipart, signedInClient } from '#tests/e2e/support/http.ts'
import { judge } from '#tests/support/judges.ts'

test('verification report: the file masks the same data as the page', async ({
  demo,
  person,
  signedDeed,
}) => {
  const [notary, lawyer] = [person('titular'), person('LAWYER')]
  const deed = await signedDeed(lawyer, notary)
  const answer = await clientOf(demo.origin).get(`/verify/${deed.id}/report.json`)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toContain('application/json')
  expect(answer.headers['content-disposition']).toContain('attachment; filename="informe ')
  const report = JSON.parse(answer.text)
  expect(report).toMatchObject({ verdict: 'VALID', forTesting: true })
  expect(Math.abs(Date.parse(report.verifiedAt) - Date.now())).toBeLessThan(60_000)
  const [party, officer] = report.signatures.map(({ signer }: { signer: unknown }) => signer)
  expect(party).toMatchObject({ name: expect.stringMatching(/^\p{L}\*+ /u), curp: null })
  expect(answer.text.toUpperCase()).not.toContain(lawyer.lastName.toUpperCase())
  const name = `${notary.firstName} ${notary.lastName}`.toUpperCase()
  const rfc = expect.stringMatching(/^\p{L}{3}\*+\p{L}?\w+$/u)
  expect(officer).toMatchObject({ name, rfc, curp: null })
  expect(answer.text).not.toContain(deed.title)
})

test('verification report: is also available as PDF', async ({ demo, signedDeed }) => {
  const deed = await signedDeed()
  const answer = await clientOf(demo.origin).get(`/verify/${deed.id}/report.pdf`)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe('application/pdf')
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="informe .*\.pdf"/)
  expect(answer.text).toMatch(/^%PDF-/)
  const sent = await clientOf(demo.origin).postParts('/verify/document/report.pdf', [
    { name: 'file', fileName: 'carta.pdf', content: aPdf() },
  ])
  expect(sent.status).toBe(200)
  expect(sent.headers['content-disposition']).toContain('filename="informe carta.pdf"')
})

test('verification report: three signatures take two pages, with what a reader needs on the first', async ({
  demo,
  person,
  signedDeed,
}) => {
  test.slow()
  const deed = await signedDeed(person('LAWYER'), person('suplente'), person('titular'))
  const answer = await fetch(`${demo.origin}/verify/${deed.id}/report.pdf`)
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-report-'))
  const file = path.join(folder, 'informe.pdf')
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
  const [first = '', ...others] = judge('pdftotext')('-layout', file, '-').output.split('\f')
  rmSync(folder, { recursive: true })
  expect(first).toContain('Página 1 de 2')
  expect(first).toContain('Compruébelo aquí')
  // The times are proven; the details name the authority.
  expect(first.match(/probado por un sello de tiempo/g)?.length).toBeGreaterThanOrEqual(2)
  expect(others.join('').match(/Sello digital de tiempo de la firma/g)).toHaveLength(3)
})

test('verification report: an unknown document and a draft get the same answer', async ({
  demo,
  uploadedDeed,
}) => {
  const draft = await uploadedDeed()
  const client = clientOf(demo.origin)
  const answers = await Promise.all(
    [draft.id, '0198c0de-0000-7000-8000-000000000000', 'nada'].map((id) =>
      client.get(`/verify/${id}/report.json`),
    ),
  )
  for (const { status, text } of answers)
    expect([status, text]).toEqual([404, 'El recurso solicitado no fue encontrado.'])
})

test('verification report: an uploaded file is answered with a report that has full names', async ({
  demo,
  person,
  signedDeed,
}) => {
  const deed = await signedDeed()
  const signed = await downloadVersion(await signedInClient(demo.origin, person('NOTARY')), deed, 2)
  const answer = await sendFile(demo.origin, 'escritura.pdf', signed)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-disposition']).toContain('filename="informe escritura.json"')
  const report = JSON.parse(answer.text)
  expect(report).toMatchObject({ file: 'escritura.pdf', verdict: 'VALID' })
  const { lastName } = person('titular')
  expect(report.signatures[0].signer.name.toUpperCase()).toContain(lastName.toUpperCase())

  const unsigned = await sendFile(demo.origin, 'b.pdf', aPdf())
  expect(JSON.parse(unsigned.text).verdict).toBe('NO_SIGNATURE')
})

test('verification report: without a file, or with a file that is not a PDF, the form shows the error', async ({
  demo,
}) => {
  const none = await sendFile(demo.origin, '', '')
  expect([none.status, none.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8'])
  expect(none.text).toContain('Elija el archivo PDF que quiere verificar.')
  expect(none.text).toContain('Verificar archivo')
  const other = await sendFile(demo.origin, 'carta.pdf', 'Estimado licenciado:')
  expect(other.status).toBe(422)
  expect(other.text).toContain('El archivo no es un PDF. Elija el PDF del documento.')
  const client = clientOf(demo.origin)
  const { type, body } = multipart([{ name: 'file', fileName: 'a.pdf', content: aPdf() }])
  const foreign = await client.raw('/verify/document/report.json', {
    method: 'POST',
    headers: { 'Content-Type': type, Origin: 'https://otra.example' },
    body,
  })
  expect(foreign.status).toBe(403)
  const opened = await client.get('/verify/document/report.json')
  expect([opened.status, opened.headers.location]).toEqual([302, '/verify/document'])
})

test('verification report: the signed revision of a file changed later can be downloaded', async ({
  demo,
  person,
  signedDeed,
}) => {
  const deed = await signedDeed()
  const signed = await downloadVersion(await signedInClient(demo.origin, person('NOTARY')), deed, 2)
  const content = Buffer.concat([signed, Buffer.from('\n% y algo más\n')])
  const client = clientOf(demo.origin)
  const file = { name: 'file', fileName: 'escritura.pdf', content }
  const shown = await client.postParts('/verify/document', [file])
  expect(shown.text).toContain('Descargar la versión firmada')
  const ask = (signature: string) =>
    client.postParts('/verify/document/signed.pdf', [
      { name: 'signature', content: signature },
      file,
    ])
  const answer = await ask('1')
  expect([answer.status, answer.headers['content-length']]).toEqual([200, String(signed.length)])
  expect(answer.headers['content-disposition']).toContain('filename="escritura firma 1.pdf"')
  for (const none of ['7', 'x', '']) expect((await ask(none)).status).toBe(404)
  expect(answer.text).toBe(Buffer.from(signed).toString('utf8'))
  const whole = await client.postParts('/verify/document', [{ ...file, content: signed }])
  expect(whole.status).toBe(200)
  expect(whole.text).toContain('escritura.pdf')
  expect(whole.text).not.toContain('Descargar la versión firmada')
})

test('verification report: includes a constancia that was sent with the file', async ({ demo }) => {
  const answer = await clientOf(demo.origin).postParts('/verify/document', [
    { name: 'file', fileName: 'carta.pdf', content: aPdf() },
    { name: 'constancia', fileName: 'carta.tsr', content: 'no es una constancia' },
  ])
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('El archivo no es una constancia que se pueda leer.')
})

const sendFile = (origin: string, fileName: string, content: string | Uint8Array) =>
  clientOf(origin).postParts('/verify/document/report.json', [{ name: 'file', fileName, content }])
