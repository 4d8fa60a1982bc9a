import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'

const test = withOwnOffice()

test('request about personal data: recorded, refused without identity, answered and made effective', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  test.slow()
  const { field, button, link, main } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await link('Ver las solicitudes').click()
  await link('Registrar solicitud').click()
  await field('Nombre de la persona').fill('Hilda Rosas Vega')
  await field('RFC').fill('no es un RFC')
  await button('Registrar solicitud').click()
  await expect(main).toContainText('Escriba el RFC de 12 o 13 caracteres')
  await expect(field('Nombre de la persona')).toHaveValue('Hilda Rosas Vega')
  await field('Qué derecho ejerce').selectOption('access')
  await field('Cómo llegó').selectOption('letter')
  await field('RFC').fill('ROVH850101QX2')
  await field('Qué pide').fill('Qué datos míos tienen.')
  await button('Registrar solicitud').click()
  await expect(messageOn(page, hasScripts)).toContainText('La solicitud quedó registrada.')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(/^ARCO-\d{4}-0001$/)

  await field('Qué se responde').selectOption('granted')
  await field('Respuesta').fill('Procede.')
  await button('Registrar respuesta').click()
  await expect(main).toContainText('Antes hay que anotar cómo acreditó su identidad')
  await field('Cómo la acreditó').selectOption('official-id')
  await button('Anotar').click()
  await expect(main).toContainText('Identidad acreditada')
  await button('Reunir sus datos').click()
  await expect(main).toContainText('Se están reuniendo.')

  await field('Qué se responde').selectOption('granted')
  await field('Respuesta').fill('Procede: se le entregan.')
  await button('Registrar respuesta').click()
  await expect(main).toContainText('Por hacer efectiva')
  await field('Qué se hizo').fill('Se le entregó el archivo.')
  await button('Cerrar solicitud').click()
  await expect(main).toContainText('la hizo efectiva')
  const archive = main.getByRole('link', { name: /^Descargar datos ARCO/ })
  await expect(async () => {
    await page.reload()
    await expect(archive).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 30_000 })
  const [file] = await Promise.all([page.waitForEvent('download'), archive.click()])
  expect(file.suggestedFilename()).toMatch(/^datos ARCO-\d{4}-0001\.zip$/)
})

test('aviso de privacidad: is looked at before it is published, and earlier versions stay readable', async ({
  page,
  signedInAs,
}) => {
  const { field, button, link, main } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings/privacy')
  await field('Aviso simplificado').fill('La notaría usará sus datos para firmar.')
  await field('Aviso integral').fill('# Quién responde\n\nLa Notaría 12.')
  await button('Ver cómo queda').click()
  await expect(main.getByRole('heading', { name: 'Quién responde' })).toBeVisible()
  await expect(main).toContainText('Todavía no se publica.')
  await expect(main).not.toContainText('Versión 1')
  await button('Guardar aviso').click()
  await expect(main).toContainText('Versión 1')
  await field('Aviso simplificado').fill('Otro texto.')
  await button('Guardar aviso').click()
  await expect(main).toContainText('Versión 2')

  await link('su página pública').click()
  await expect(main).toContainText('Versión 2, vigente desde el')
  await expect(main).toContainText('Otro texto.')
  await main.getByRole('link', { name: /^Versión 1, del/ }).click()
  await expect(main).toContainText('Ya no es la vigente.')
  await expect(main).toContainText('La notaría usará sus datos para firmar.')
  await link('Leer el aviso vigente').click()
  await expect(main).toContainText('Otro texto.')
})

test('retention: a term is set with its source, and the list says that nothing is over', async ({
  page,
  signedInAs,
}) => {
  const { field, button, link, main } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings/retention')
  await field('Tipo').selectOption('letter')
  await field('Años').fill('cinco')
  await field('Fuente').fill('Acuerdo de la notaría')
  await button('Guardar plazo').click()
  await expect(main).toContainText('Escriba los años, del 1 al 50')
  await field('Años').fill('5')
  await button('Guardar plazo').click()
  await expect(main).toContainText('5 años, y 90 días de bloqueo · Acuerdo de la notaría')
  await page.goto('/dashboard/retention')
  await expect(main).toContainText('Ningún documento está en este estado.')
  await link('Bloqueados').click()
  await expect(page).toHaveURL(/state=blocked/)
})
