import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

test('own upload: a clerk withdraws it with a reason, and an administrator removes its file', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  const { main, field, button, link, text } = inMain(page)
  const title = aTitle('Por error')
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents/new')
  await field('Título').fill(title)
  await field('Archivo PDF').setInputFiles(aFile('ajeno.pdf', aPdf()))
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
  const address = new URL(page.url()).pathname
  // Without the message of the upload.
  await page.goto(address)
  await link('Cancelar documento').click()
  await field('Motivo').fill('Es de otra notaría')
  await button('Cancelar documento').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El documento quedó cancelado.')
  await expect(link('Eliminar archivo')).toHaveCount(0)

  await page.context().clearCookies()
  const admin = await signedInAs('ADMIN')
  await page.goto(address)
  await link('Eliminar archivo').click()
  await button('Eliminar archivo').click()
  await expect(main).toContainText('Escriba el motivo, hasta 500 caracteres.')
  await field('Motivo').fill('Lo pidió la otra notaría')
  await button('Eliminar archivo').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El archivo del documento se eliminó.')
  const name = `${admin.firstName} ${admin.lastName}`
  await expect(text(`${name} lo eliminó: Lo pidió la otra notaría`)).toBeVisible()
  await expect(main).toContainText(`${name} eliminó el archivo: Lo pidió la otra notaría`)
  await expect(main).toContainText('lo canceló: Es de otra notaría')
  await expect(link('Descargar original')).toHaveCount(0)
  await expect(link('Eliminar archivo')).toHaveCount(0)
  expect((await page.request.get(`${address}/download/1`)).status()).toBe(410)
  expect((await page.request.get(`${address}/purge`)).status()).toBe(409)
})
