import type { Page } from '@playwright/test'
import {
  aForm,
  aPdf,
  changedLater,
  downloadVersion,
  filledLater,
  signDeed,
} from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

test('verify file: a signed file is intact, and one changed byte is found', async ({
  page,
  demo,
  person,
  signedDeed,
}) => {
  const { main, link } = inMain(page)
  const deed = await signedDeed()
  const client = await signedInClient(demo.origin, person('NOTARY'))
  const signed = await downloadVersion(client, deed, 2)

  await verify(page, signed)
  await expect(main.getByRole('status')).toHaveText('Documento íntegro y firmado.')
  await expect(main).toContainText('Este archivo es idéntico al que está registrado en la notaría.')
  await link('Ver el documento registrado').click()
  await expect(page).toHaveURL(`/verify/${deed.id}`)

  const changed = Buffer.from(signed)
  const place = changed.indexOf('(Page 1)') + 1
  changed[place] = changed[place]! ^ 0x01
  await verify(page, changed)
  await expect(main.getByRole('status')).toHaveText(
    'El archivo fue modificado: no es el que se firmó.',
  )
  await expect(main).toContainText('No válido')
})

test('verify file: a file without signatures and a file that is not a PDF get different messages', async ({
  page,
}) => {
  const { main } = inMain(page)
  await verify(page, aPdf())
  await expect(main.getByRole('status')).toHaveText('El documento no tiene firmas electrónicas.')

  const answer = page.waitForResponse(
    (response) =>
      response.url().endsWith('/verify/document') && response.request().method() === 'POST',
  )
  await verify(page, Buffer.from('Estimado licenciado: le envío el contrato.'))
  expect((await answer).status()).toBe(422)
  await expect(main).toContainText('El archivo no es un PDF. Elija el PDF del documento.')
})

test('verify file: the report can be downloaded', async ({ page }) => {
  const { main, field, button } = inMain(page)
  await page.goto('/verify/document')
  await field('Archivo PDF').setInputFiles(aFile('carta.pdf', aPdf()))
  for (const [name, ending] of [
    ['Informe de verificación en PDF', 'pdf'],
    ['Informe de verificación en JSON', 'json'],
  ] as const) {
    if (ending === 'json') await main.getByText('Otros formatos').click()
    const download = page.waitForEvent('download')
    await button(name).click()
    expect((await download).suggestedFilename()).toBe(`informe carta.${ending}`)
  }
  await expect(page).toHaveURL('/verify/document')
})

test('verify file: a page changed later is shown beside the signed one', async ({
  page,
  demo,
  person,
  signedDeed,
}) => {
  const { main, field, button } = inMain(page)
  const deed = await signedDeed()
  const client = await signedInClient(demo.origin, person('NOTARY'))
  const signed = await downloadVersion(client, deed, 2)
  await verify(page, signed)
  await expect(main.getByRole('img', { name: /Página/ })).toHaveCount(0)

  await verify(page, changedLater(signed))
  await expect(main.getByRole('heading', { name: 'Cómo se firmó y cómo está ahora' })).toBeVisible()
  for (const name of ['Página 1: como se firmó', 'Página 1: como está ahora']) {
    const picture = main.getByRole('img', { name })
    await expect(picture).toBeVisible()
    await expect(picture).toHaveJSProperty('naturalWidth', 480)
  }
  await field('El mismo archivo PDF').setInputFiles(aFile('escritura.pdf', changedLater(signed)))
  const download = page.waitForEvent('download')
  await button('Descargar la versión firmada').click()
  expect((await download).suggestedFilename()).toBe('escritura firma 1.pdf')
})

test('verify file: a field filled later is shown with its value, and its page beside the signed one', async ({
  page,
  demo,
  person,
  uploadedDeed,
}) => {
  const { main } = inMain(page)
  const deed = await uploadedDeed(aForm())
  await signDeed(demo.origin, deed, person('titular'))
  const client = await signedInClient(demo.origin, person('NOTARY'))
  const signed = await downloadVersion(client, deed, 2)

  await verify(page, filledLater(signed, '2000'))
  await expect(main.getByRole('status')).toHaveText('Firmado. Después se llenaron campos.')
  await expect(main).toContainText('las firmas anteriores no los respaldan')
  await expect(main).toContainText('Precio')
  await expect(main).toContainText('2000')
  for (const name of ['Página 1: como se firmó', 'Página 1: como está ahora'])
    await expect(main.getByRole('img', { name })).toHaveJSProperty('naturalWidth', 480)
})

test('verify file: a missing file or code is reported at its field', async ({ page }) => {
  const { main, button } = inMain(page)
  await page.goto('/verify/document')
  await button('Verificar archivo').click()
  await expect(main).toContainText('Elija el archivo PDF que quiere verificar.')
  const answer = await page.goto('/verify/document?code=')
  expect(answer?.status()).toBe(422)
  await expect(main).toContainText('Escriba el código que está en la hoja de firmas.')
})

async function verify(page: Page, file: Uint8Array) {
  const { field, button } = inMain(page)
  await page.goto('/verify/document')
  await field('Archivo PDF').setInputFiles(aFile('escritura firmada.pdf', file))
  await button('Verificar archivo').click()
}
