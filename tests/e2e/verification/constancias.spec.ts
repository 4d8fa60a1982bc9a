import { readFileSync } from 'node:fs'
import { readZip } from '#server/domain/trust/zip-archive.ts'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

// One after the other: one of them changes when constancias are requested, for the whole office.
test.describe.configure({ mode: 'default' })

test('constancia: a notary requests it, and every reader of the document sees it', async ({
  page,
  signedInAs,
  signedDeed,
  person,
  hasScripts,
}) => {
  test.setTimeout(120_000)
  const { main, button, link } = inMain(page)
  const deed = await signedDeed(person('titular'))
  await signedInAs('titular')
  const place = `/dashboard/documents/${deed.id}`
  await page.goto(place)
  await expect(main).toContainText('La constancia llegará sola')
  await button('Solicitar constancia').click()
  await expect(page).toHaveURL(place)
  await expect(messageOn(page, hasScripts)).toContainText('La constancia quedó solicitada.')
  await expect(main).toContainText(/Constancia (?:pendiente|emitida)/)
  await expect(button('Solicitar constancia')).toHaveCount(0)

  await expect(async () => {
    await page.goto(place)
    await expect(main).toContainText('Constancia emitida', { timeout: 1000 })
  }).toPass({ timeout: 60_000, intervals: [2000] })
  await expect(main).toContainText('Prestador de constancias de prueba')
  const download = page.waitForEvent('download')
  await link('Descargar constancia (.asn1)').click()
  expect((await download).suggestedFilename()).toMatch(/^constancia .*\.asn1$/)

  const archive = page.waitForEvent('download')
  await link('Paquete de evidencia (ZIP)').click()
  const file = readFileSync(await (await archive).path())
  const names = (await readZip(new Uint8Array(file))).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['VERIFICAR.txt', 'constancia/constancia.asn1']))

  await expect(async () => {
    await page.goto(`/verify/${deed.id}`)
    await expect(page.getByRole('main')).toContainText('Emitida', { timeout: 1000 })
  }).toPass({ timeout: 20_000, intervals: [2000] })
  await expect(page.getByRole('main')).toContainText('Prestador de constancias de prueba')
})

test('constancia: an administrator sets when it is requested', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { main, field, button, link } = inMain(page)
  await signedInAs('administrador')
  const decide = async (choice: string) => {
    await page.goto('/dashboard/settings')
    await link('Cambiar cuándo se solicitan constancias').click()
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Constancias NOM-151')
    await field('Cuándo se solicita').selectOption({ label: choice })
    await button('Guardar').click()
    await expect(page).toHaveURL('/dashboard/settings')
    await expect(messageOn(page, hasScripts)).toContainText('La política se guardó.')
    await expect(main).toContainText(choice)
  }
  await decide('Solo cuando alguien la solicita en el documento')
  await decide('De cada documento, en cuanto todos firmaron')
  await link('Ver proveedores').click()
  await expect(link('Agregar proveedor')).toBeVisible()
})
