import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'

test('obligation: follows from a signed document, is done with an acknowledgement and opened again', async ({
  page,
  signedInAs,
  signedDeed,
}) => {
  const { field, button, link, main } = inMain(page)
  const deed = await signedDeed()
  await signedInAs('CLERK')
  // A job sets it.
  await expect(async () => {
    await page.goto(`/dashboard/documents/${deed.id}`)
    await expect(link('Índice electrónico del Colegio')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await link('Índice electrónico del Colegio').click()
  await expect(main).toContainText('30 días naturales después de la firma')
  await expect(main).toContainText('Ley del Notariado para la Ciudad de México, artículo 97')
  await expect(main).toContainText('Sin confirmar por la notaría')
  await expect(main).toContainText('Rúbrica no da asesoría legal')

  await field('Cuándo').fill('2999-01-01')
  await field('Número de acuse (opcional)').fill('CN-77')
  await button('Anotar que se cumplió').click()
  await expect(main).toContainText('Ese día todavía no llega.')
  await expect(field('Número de acuse (opcional)')).toHaveValue('CN-77')
  await field('Cuándo').fill('2026-11-20')
  await button('Anotar que se cumplió').click()
  await expect(main).toContainText('Cumplida')
  await expect(main).toContainText('CN-77')
  await button('Dejar pendiente').click()
  await expect(main).toContainText('Pendiente')

  await link('Volver a las obligaciones').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Obligaciones')
  await field('Obligación').selectOption({ label: 'Índice electrónico del Colegio' })
  await button('Filtrar').click()
  await expect(
    main.getByRole('row', { name: 'Índice electrónico del Colegio' }).first(),
  ).toBeVisible()
})

test('obligation of the office: added, changed and switched off by a notary', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { field, button, link, main } = inMain(page)
  const name = `Aviso de traslado ${hasScripts ? 'uno' : 'dos'}`
  await signedInAs('NOTARY')
  await page.goto('/dashboard/settings/obligations')
  await link('Agregar obligación').click()
  await field('Nombre').fill(name)
  await field('Días después de la firma, o día del mes').fill('0')
  await field('Y los instrumentos con estos actos').fill('Acto de nadie')
  await field('Fuente').fill('Código municipal, artículo 5')
  await button('Agregar obligación').click()
  await expect(main).toContainText('Escriba cuántos días, de 1 a 366.')
  await expect(main).toContainText('Escriba cuándo se leyó la fuente.')
  await expect(field('Y los instrumentos con estos actos')).toHaveValue('Acto de nadie')
  await field('Días después de la firma, o día del mes').fill('10')
  await field('Leída el').fill('2026-11-02')
  await button('Agregar obligación').click()
  const row = main.getByRole('row', { name })
  await expect(row).toContainText('10 días naturales después de la firma')
  await expect(row).toContainText('Código municipal, artículo 5 (leída el 02 nov 2026)')

  await link(name).click()
  await field('Cómo se cuentan los días').selectOption({ label: 'Días hábiles' })
  await button('Guardar').click()
  await expect(row).toContainText('10 días hábiles después de la firma')
  await link(name).click()
  await button('Apagar obligación').click()
  await expect(row).toContainText('Apagada')
})

test('obligations: a state of two words stands on one line beside long sources', async ({
  page,
  person,
  signedInAs,
}) => {
  const { main } = inMain(page)
  const rows = officeDatabase(process.env.DEMO_DATA ?? '')
  const soon = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await page.setViewportSize({ width: 1920, height: 1080 })
  await signedInAs('titular')
  const state = main.locator('td[data-label="Estado"] > *').filter({ hasText: 'Por vencer' })
  // Other tests add offices with deadlines of their own, and may close this one before the page is read.
  await expect(async () => {
    rows.change(
      `update deadlines set due_on = ? where id in (
         select id from deadlines where state = 'open' and office_id in (
           select office_id from users where email = ?) order by due_on limit 1)`,
      ...[soon, person('titular').email],
    )
    await page.goto('/dashboard/obligations')
    await expect(state.first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  rows.close()
  const box = await state.first().boundingBox()
  expect(box?.height).toBeLessThan(36)
})
