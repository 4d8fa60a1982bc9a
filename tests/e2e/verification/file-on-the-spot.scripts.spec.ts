import { aPdf, downloadVersion, sha256Of } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

test('verify by hash: the file is recognized without being uploaded', async ({
  page,
  demo,
  person,
  signedDeed,
}) => {
  const deed = await signedDeed()
  const client = await signedInClient(demo.origin, person('NOTARY'))
  const signed = await downloadVersion(client, deed, 2)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.postData() ?? '')
  })
  const { main, field, link } = inMain(page)
  await page.goto('/verify/document')
  await field('Archivo PDF').setInputFiles(aFile('escritura.pdf', signed))
  await expect(main).toContainText('Este archivo es idéntico al que está registrado en la notaría.')
  await expect(main).toContainText(sha256Of(signed))
  expect(sent).toEqual([`sha256=${sha256Of(signed)}`])

  const other = aPdf()
  await field('Archivo PDF').setInputFiles(aFile('otra.pdf', other))
  await expect(main).toContainText('Este archivo no está registrado aquí, tal como está.')
  await expect(link('Ver el documento registrado')).toHaveCount(0)

  await field('Archivo PDF').setInputFiles(aFile('escritura.pdf', signed))
  await link('Ver el documento registrado').click()
  await expect(page).toHaveURL(`/verify/${deed.id}`)
})

test('verify by hash: a file dropped anywhere on the page is accepted', async ({ page }) => {
  const { main, button } = inMain(page)
  await page.goto('/verify/document')
  const bytes = aPdf()
  const dropped = await page.evaluateHandle(
    (content) => {
      const transfer = new DataTransfer()
      const file = new File([Uint8Array.from(content)], 'soltado.pdf', { type: 'application/pdf' })
      transfer.items.add(file)
      return transfer
    },
    [...bytes],
  )
  await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped })
  await expect(main).toContainText(sha256Of(bytes))
  await button('Verificar archivo').click()
  await expect(main.getByRole('status')).toHaveText('El documento no tiene firmas electrónicas.')
  await expect(main).toContainText('soltado.pdf')
})
