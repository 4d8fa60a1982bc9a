import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

test('copies issued: a clerk records them, stands corrected by cancelling, and nothing typed is lost', async ({
  page,
  hasScripts,
  person,
  signedInAs,
  signedDeed,
}) => {
  const deed = await signedDeed()
  const path = `/dashboard/documents/${deed.id}`
  const { main, field, button, link } = inMain(page)
  const clerk = await signedInAs('CLERK')
  await page.goto(path)
  await expect(main).toContainText('No se ha registrado ninguna copia de este documento.')
  await link('Registrar una copia').click()
  await expect(field('Qué se expidió').locator('option')).toHaveText([
    'Primer testimonio',
    'Primera copia certificada',
    'Primera copia simple',
    'Primera certificación',
  ])

  await field('RFC (opcional)').fill('no es un RFC')
  await field('Nota (opcional)').fill('La recogió un gestor')
  await button('Registrar copia').click()
  await expect(main).toContainText('Escriba a quién se expidió, hasta 150 caracteres.')
  await expect(main).toContainText('Escriba el RFC de 12 o 13 caracteres, o deje el campo vacío.')
  await expect(main).toContainText('Escriba cuántas hojas tiene, del 1 al 99,999.')
  await expect(field('Nota (opcional)')).toHaveValue('La recogió un gestor')

  await field('Para quién se expidió').fill('Hilda Rosas Vega')
  await field('RFC (opcional)').fill('rovh850101qx2')
  await field('En qué carácter (opcional)').fill('Compradora')
  await field('Hojas').fill('12')
  await field('Fecha de expedición').fill('2999-01-01')
  await button('Registrar copia').click()
  await expect(main).toContainText('Ese día todavía no llega.')
  await expect(field('Para quién se expidió')).toHaveValue('Hilda Rosas Vega')
  await field('Fecha de expedición').fill('2026-11-20')
  await button('Registrar copia').click()
  await expect(messageOn(page, hasScripts)).toHaveText('La copia quedó registrada.')
  const row = main.getByRole('row').filter({ hasText: 'Primer testimonio' })
  await expect(row).toContainText('Hilda Rosas Vega')
  await expect(row).toContainText('Compradora · RFC ROVH850101QX2')
  await expect(row).toContainText('En papel, 12 hojas')
  await expect(row).toContainText('20 nov 2026')
  await expect(row).toContainText(`${clerk.firstName} ${clerk.lastName}`)

  await page.goto(path)
  await expect(main).toContainText('Para Hilda Rosas Vega · 20 nov 2026 · En papel, 12 hojas')
  await link('Ver el detalle de las copias').click()
  await row.getByRole('link', { name: 'Cancelar el registro: Primer testimonio' }).click()
  await expect(main).toContainText(
    /Primer testimonio del documento \d{4}-\d+, para Hilda Rosas Vega/,
  )
  await button('Cancelar el registro').click()
  await expect(main).toContainText('Escriba el motivo, hasta 500 caracteres.')
  await field('Motivo').fill('Era para su hermana')
  await button('Cancelar el registro').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El registro de la copia quedó cancelado.')
  await expect(row).toContainText('Registro cancelado')
  await expect(row).toContainText('canceló el registro: Era para su hermana')
  await link('Registrar una copia').click()
  await expect(field('Qué se expidió').locator('option').first()).toHaveText('Segundo testimonio')

  await page.context().clearCookies()
  const notary = await signedInAs('NOTARY')
  expect(notary).toEqual(person('NOTARY'))
  await page.goto(`/dashboard/audit?subject=${deed.id}`)
  await expect(main).toContainText('registró la expedición del primer testimonio del documento')
})

test('copies issued: of two tabs at once, the second is told that the number changed', async ({
  page,
  context,
  signedInAs,
  signedDeed,
}) => {
  const deed = await signedDeed()
  await signedInAs('CLERK')
  const tabs = [page, await context.newPage()]
  for (const [index, tab] of tabs.entries()) {
    const { field } = inMain(tab)
    await tab.goto(`/dashboard/documents/${deed.id}/copies/new`)
    await field('Qué se expidió').selectOption('Primera copia simple')
    await field('Para quién se expidió').fill(`Persona ${index + 1}`)
    await field('Soporte').selectOption('Electrónico')
  }
  const [first, second] = tabs.map(inMain)
  if (!first || !second) throw new Error('two tabs')
  await first.button('Registrar copia').click()
  await expect(first.main).toContainText('Persona 1')
  await second.button('Registrar copia').click()
  await expect(second.main).toContainText('se registró otra copia de este tipo y el número cambió')
  await expect(second.field('Qué se expidió').locator('option:checked')).toHaveText(
    'Segunda copia simple',
  )
  await expect(second.field('Para quién se expidió')).toHaveValue('Persona 2')
  await second.button('Registrar copia').click()
  await expect(second.main.getByRole('row')).toHaveCount(3)
  await expect(second.main).toContainText('Segunda copia simple')
})

test('copies issued: of a draft there are none, and the page says why', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  const answer = await page.goto(`/dashboard/documents/${deed.id}/copies/new`)
  expect(answer?.status()).toBe(409)
  await expect(page.getByRole('alert')).toContainText('le faltan firmas')
})
