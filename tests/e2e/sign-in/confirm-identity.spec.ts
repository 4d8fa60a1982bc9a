import type { Page } from '@playwright/test'
import { expect, inMain, messageOn, signIn } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import {
  allowNextCode,
  codeOf,
  codesOn,
  copyOffice,
  insertKey,
  type Newcomer,
  setUpApp,
  setUpAppHere,
  test,
} from '#tests/e2e/support/newcomers.ts'
import type { OfficeDatabase } from '#tests/e2e/support/office-database.ts'

/** So long ago that it does not count any more. */
function expireProof(rows: OfficeDatabase, { id }: Newcomer): void {
  rows.change('update sessions set proven_at = proven_at - 3600000 where user_id = ?', id)
}

const others = (page: Page) => inMain(page).button('Cerrar las demás sesiones')

test('ending other sessions asks for the password first', async ({
  page,
  demo,
  hasScripts,
  rows,
  newcomer,
}) => {
  const { field, button, link, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  const elsewhere = await signedInClient(demo.origin, newcomer)
  expireProof(rows, newcomer)
  await page.goto('/dashboard/profile')
  await others(page).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Confirme su identidad')
  await link('Cancelar').click()
  await expect(page).toHaveURL(/\/dashboard\/profile$/)
  expect((await elsewhere.get('/dashboard')).status).toBe(200)

  await page.goto('/dashboard/profile')
  await others(page).click()
  await button('Verificar').click()
  await expect(field('Contraseña')).toHaveAccessibleDescription('Escriba su contraseña.')
  await field('Contraseña').fill('no es esta contraseña')
  await button('Verificar').click()
  await expect(main.getByRole('alert')).toContainText('La contraseña no es correcta.')
  await field('Contraseña').fill(newcomer.password)
  await button('Verificar').click()
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(messageOn(page, hasScripts)).toHaveText('Las demás sesiones se cerraron.')
  await expect(others(page)).toHaveCount(0)
  expect((await elsewhere.get('/dashboard')).status).toBe(302)
})

test('a security key is renamed and removed on its own page', async ({
  page,
  hasScripts,
  rows,
  newcomer,
}) => {
  const { field, button, link, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  insertKey(rows, newcomer)
  await page.goto('/dashboard/profile')
  await expect(inMain(page).text('Activada')).toBeVisible()
  await link('Administrar Llave vieja').click()
  await field('Nombre de la llave').fill(' ')
  await button('Guardar nombre').click()
  await expect(field('Nombre de la llave')).toHaveAccessibleDescription(
    'Escriba un nombre de hasta 60 caracteres.',
  )
  await field('Nombre de la llave').fill('Llave de la oficina')
  await button('Guardar nombre').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El nombre de la llave se guardó.')
  await link('Administrar Llave de la oficina').click()
  await expect(page).toHaveURL(/\/keys\//)
  const address = page.url()
  await button('Quitar llave').click()
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(main.getByText('Llave de la oficina')).toHaveCount(0)
  expect((await page.goto(address))?.status()).toBe(404)
})

test('the last second factor cannot be removed if the office requires one', async ({
  page,
  rows,
  newcomer,
}) => {
  const { button, link, main } = inMain(page)
  const [{ office_id: before } = { office_id: '' }] = rows.all<{ office_id: string }>(
    'select office_id from users where id = ?',
    newcomer.id,
  )
  const strict = copyOffice(rows, before)
  rows.change('update users set office_id = ? where id = ?', strict, newcomer.id)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/setup-mfa?returnUrl=%2Fdashboard')
  await expect(link('Ahora no')).toHaveCount(0)
  await page.goto('/dashboard/documents')
  await expect(page).toHaveURL('/setup-mfa?returnUrl=%2Fdashboard%2Fdocuments')
  await setUpAppHere(page)
  await expect(page).toHaveURL('/dashboard/documents')
  await page.goto('/dashboard/profile/authenticator')
  await button('Quitar aplicación').click()
  await expect(main.getByRole('alert')).toContainText('Es su única verificación en dos pasos')
  await page.goto('/dashboard/profile')
  await expect(inMain(page).text('Activada')).toBeVisible()
})

test('creating backup codes and removing the app require the second factor', async ({
  page,
  hasScripts,
  rows,
  newcomer,
}) => {
  test.slow()
  const { field, button, link, main } = inMain(page)
  const { secret, codes } = await setUpApp(page, newcomer)
  allowNextCode(rows, newcomer)
  expireProof(rows, newcomer)
  await page.goto('/dashboard/profile')
  await link('Administrar Códigos de respaldo').click()
  await button('Generar códigos nuevos').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Confirme su identidad')
  await field('Código de verificación').fill(codeOf(secret))
  await button('Verificar').click()
  const fresh = await codesOn(page)
  expect(fresh).toHaveLength(10)
  expect(fresh.filter((code) => codes.includes(code))).toEqual([])
  await button('Continuar').click()
  await expect(page).toHaveURL('/dashboard/profile')

  rows.change(
    "update backup_codes set state = 'used' where user_id = ? and state = 'unused' and number > 2",
    newcomer.id,
  )
  await page.goto('/dashboard/profile')
  await expect(main).toContainText('Le quedan 2 códigos de respaldo.')
  await link('Administrar Aplicación de autenticación').click()
  await button('Quitar aplicación').click()
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(messageOn(page, hasScripts)).toHaveText('La aplicación de autenticación se quitó.')
  await expect(inMain(page).text('Sin activar')).toBeVisible()
  await page.goto('/dashboard/profile/authenticator')
  await expect(page).toHaveURL('/dashboard/profile')
})
