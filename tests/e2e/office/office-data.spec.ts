import { randomUUID } from 'node:crypto'
import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'

const test = withOwnOffice()

test('office data: a number that another office uses is refused at its field', async ({
  page,
  office,
  signedInAs,
}) => {
  const { main, field, button } = inMain(page)
  const database = officeDatabase(office.dataFolder)
  try {
    const [own] = database.all<Record<string, unknown>>('select * from offices')
    const other = { ...own, id: randomUUID(), number: 77 }
    const places = Object.keys(other).map(() => '?')
    const columns = Object.keys(other).join(', ')
    database.change(
      `insert into offices (${columns}) values (${places.join(', ')})`,
      ...Object.values(other),
    )
  } finally {
    database.close()
  }
  await signedInAs('administrador')
  await page.goto('/dashboard/settings/office')
  await field('Número').fill('77')
  await field('Domicilio').fill('Calle Nueva 3')
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  await button('Guardar').click()
  expect((await answer).status()).toBe(409)
  await expect(main).toContainText('Otra notaría de este sistema tiene ese número')
  await expect(field('Número')).toHaveAccessibleDescription(/Otra notaría de este sistema/)
  await expect(field('Número')).toHaveValue('77')
  await expect(field('Domicilio')).toHaveValue('Calle Nueva 3')
})

test('office data: a new address shows on every page that prints it', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { main, link, field, button } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await link('Cambiar datos').click()
  await expect(field('Nombre')).toHaveValue('Notaría 12 de la Ciudad de México (demostración)')
  await field('Nombre').fill('Notaría 12 de Coyoacán')
  await field('Número').fill('doce')
  await field('Domicilio').fill(' ')
  await button('Guardar').click()
  await expect(main).toContainText('Escriba el número de la notaría, con cifras.')
  await expect(main).toContainText('Escriba el domicilio de la notaría.')
  await expect(field('Nombre')).toHaveValue('Notaría 12 de Coyoacán')
  await field('Número').fill('12')
  await field('Domicilio').fill('Av. Ñandú 14, 04010 Coyoacán')
  await field('Hora oficial').selectOption({ label: 'Hora del sureste' })
  await button('Guardar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Los datos de la notaría se guardaron.')
  await expect(page).toHaveURL('/dashboard/settings')
  await expect(main).toContainText('Av. Ñandú 14, 04010 Coyoacán')
  await expect(main).toContainText('Hora del sureste')

  await signedInAs('CLERK')
  await page.goto('/dashboard')
  await expect(main).toContainText('Notaría 12 de Coyoacán')
  await page.goto('/dashboard/settings')
  await expect(link('Cambiar datos')).toHaveCount(0)
  await page.goto('/dashboard/settings/office')
  await expect(page).toHaveURL('/dashboard')
})
