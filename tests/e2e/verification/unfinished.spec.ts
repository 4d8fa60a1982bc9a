import { downloadVersion, sha256Of } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { clientOf, signedInClient } from '#tests/e2e/support/http.ts'
import { cancelSession, openSession } from '#tests/e2e/support/signing-session.ts'

const BUYER = { name: 'Inés Luna Farías', rfc: 'LUFI930227MH8', email: 'ines@example.mx' }

test('document that is not complete: each public address says the same, without date or reason', async ({
  page,
  demo,
  person,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const clerk = person('CLERK')
  const session = await openSession(demo.origin, clerk, [deed], [BUYER])
  const { main, field, button } = inMain(page)
  const stranger = clientOf(demo.origin)
  const { text: shown } = await (await signedInClient(demo.origin, clerk)).get(
    `/dashboard/documents/${deed.id}`,
  )
  const [code = 'no code'] = /(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}/.exec(shown) ?? []

  async function expectEverywhere(sentence: string, word: string) {
    await expect(async () => {
      await page.goto('/verify/document')
      await field('Código de verificación').fill(code)
      await button('Buscar').click()
      await expect(page).toHaveURL(`/verify/${deed.id}`)
      await expect(main.getByRole('status')).toHaveText(sentence, { timeout: 1000 })
    }).toPass()
    await expect(main).toContainText(word)
    await expect(main).not.toContainText(/desistió|Firmado|20\d\d,/)
    await expect(main.getByRole('link', { name: /Descargar/ })).toHaveCount(0)
    const data = await stranger.get(`/verify/${deed.id}.data`)
    expect(data.text).toContain(sentence)
    expect(data.text).not.toContain('desistió')
    for (const file of ['report.json', 'report.pdf', 'log.tlog-proof']) {
      const { status, text } = await stranger.get(`/verify/${deed.id}/${file}`)
      expect([status, text]).toEqual([409, sentence])
    }
  }

  await expectEverywhere('En firma: todavía no está completo.', 'Faltan firmas.')
  const file = await downloadVersion(await signedInClient(demo.origin, clerk), deed, 2)
  await page.goto('/verify/document')
  await field('Archivo PDF').setInputFiles(aFile('en-firma.pdf', file))
  await button('Verificar archivo').click()
  await expect(main).toContainText('Este archivo no está registrado aquí')
  const looked = await stranger.post('/verify/document/registered', { sha256: sha256Of(file) })
  expect(looked.text).toContain('no está registrado aquí')

  await cancelSession(demo.origin, clerk, session)
  await expectEverywhere('No se completó.', 'no llegó a tener todas sus firmas')
})
