import { randomUUID } from 'node:crypto'
import { ageProof, test } from '#tests/e2e/support/colleague.ts'
import { expect, inMain, messageOn, signIn } from '#tests/e2e/support/fixtures.ts'

const SEEDED = 'Autoridad de sellos de la demostración'

test('providers: an administrator adds one, changes its order and removes it', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { main, field, button, link } = inMain(page)
  const id = randomUUID().slice(0, 8)
  const name = `Sellos del Sureste ${id}`
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await link('Ver proveedores').click()
  await expect(main).toContainText(SEEDED)
  await link('Agregar proveedor').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Agregar proveedor')

  await field('Nombre').fill(name)
  await field('Dirección').fill('sellos.example')
  await field('Política (OID)').fill('uno.dos')
  await field('Usuario').fill('notaria-12')
  await button('Agregar').click()
  await expect(main).toContainText('Escriba la dirección del proveedor, con https://.')
  await expect(main).toContainText('Escriba números separados por puntos')
  await expect(field('Nombre')).toHaveValue(name)

  await field('Política (OID)').fill('1.3.6.1.4.1.99999.1')
  await field('Dirección').fill(`https://sellos-${id}.example/tsa`)
  await button('Agregar').click()
  await expect(main).toContainText('Escriba la contraseña que le dio el proveedor')

  await field('Dirección').fill('https://192.168.1.20/tsa')
  await field('Contraseña del proveedor').fill('clave del proveedor')
  await button('Agregar').click()
  await expect(main).toContainText('esa dirección es de una red privada')

  await field('Dirección').fill(`https://sellos-${id}.example/tsa`)
  await field('Contraseña del proveedor').fill('clave del proveedor')
  await button('Agregar').click()
  await expect(page).toHaveURL('/dashboard/settings/providers')
  await expect(messageOn(page, hasScripts)).toHaveText('El proveedor se agregó.')

  await link(name).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(main).toContainText('Usuario notaria-12, con contraseña')
  await expect(page.locator('body')).not.toContainText('clave del proveedor')
  await expect(main).toContainText('Se le pide si no responden los anteriores')
  await button('Pedirle antes').click()
  await expect(
    messageOn(page, hasScripts).filter({ hasText: 'El orden quedó cambiado.' }),
  ).toBeVisible()
  await button('Pedirle después').click()
  await expect(button('Pedirle antes')).toBeVisible()

  await button('Retirar proveedor').click()
  await expect(page).toHaveURL('/dashboard/settings/providers')
  await expect(link(name)).toHaveCount(0)
  await expect(main).toContainText(SEEDED)
})

test('providers: an administrator sets what happens to a signature without a timestamp', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { main, field, button, link } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await link('Cambiar qué pasa si ninguno responde').click()
  await expect(field('Si ningún proveedor responde')).toHaveValue('later')
  await button('Guardar').click()
  await expect(page).toHaveURL('/dashboard/settings')
  await expect(messageOn(page, hasScripts)).toHaveText('La política se guardó.')
  await expect(main).toContainText('Se firma, y el sello de tiempo se agrega después')
})

test('providers: an old proof of identity is renewed before the form with the password', async ({
  page,
  office,
  colleague,
}) => {
  const { field, link } = inMain(page)
  office.change(
    `insert into user_roles (user_id, role, granted_at) values (?, 'ADMIN', 0)`,
    colleague.id,
  )
  await page.goto('/login?returnUrl=%2Fdashboard%2Fsettings%2Fproviders')
  await signIn(page, colleague)
  await expect(page).toHaveURL('/dashboard/settings/providers')
  ageProof(office, colleague, 11)
  await link('Agregar proveedor').click()
  await expect(page).toHaveURL(/\/step-up\?returnUrl=/)
  await field('Contraseña').fill(colleague.password)
  await page.getByRole('main').getByRole('button').last().click()
  await expect(page).toHaveURL('/dashboard/settings/providers/new')
})
