import { expect, inMain, messageOn, signIn } from '#tests/e2e/support/fixtures.ts'
import { copyIntoOtherOffice, test } from '#tests/e2e/support/newcomers.ts'

const PAGE = '/dashboard/profile/offices'

test('several offices: a person links their accounts, switches, and takes them apart', async ({
  page,
  newcomer,
  rows,
  hasScripts,
}) => {
  const { main, field, button, text, link } = inMain(page)
  const other = copyIntoOtherOffice(rows, newcomer)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/dashboard/profile')
  await link('Ver mis notarías').click()
  await expect(text('No ha agregado cuentas de otras notarías.')).toBeVisible()
  const menu = page.getByRole('banner').locator('details').last()
  const switching = menu.getByRole('link', { name: /^Cambiar de notaría/ })
  await menu.locator('summary').click()
  await expect(menu.getByRole('link', { name: 'Mi Perfil' })).toBeVisible()
  await expect(switching).toHaveCount(0)
  await menu.locator('summary').click()

  await field('Correo de esa cuenta').fill(other.email)
  await field('Contraseña de esa cuenta').fill('una contraseña que no es')
  await button('Agregar cuenta').click()
  await expect(text('El correo o la contraseña no son correctos.')).toBeVisible()
  await expect(field('Correo de esa cuenta')).toHaveValue(other.email)
  await field('Contraseña de esa cuenta').fill(newcomer.password)
  await button('Agregar cuenta').click()
  await expect(messageOn(page, hasScripts)).toContainText('La cuenta se agregó')

  await button(`Cambiar a ${other.name}`).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/dashboard/profile')
  await expect(main).toContainText(other.name)
  await expect(main).toContainText(other.email)
  const ended = "select end_reason from sessions where user_id = ? and end_reason = 'switched'"
  expect(rows.all(ended, newcomer.id)).toHaveLength(1)

  await menu.locator('summary').click()
  await expect(switching).toContainText(`Ahora en ${other.name}`)
  await switching.click()
  await expect(page).toHaveURL(PAGE)
  await expect(main).toContainText(newcomer.email)
  await main.getByRole('button', { name: /^Quitar / }).click()
  await expect(messageOn(page, hasScripts)).toContainText('La cuenta se quitó')
  await expect(text('No ha agregado cuentas de otras notarías.')).toBeVisible()
})

test('several offices: without a recent proof of identity the page asks for one first', async ({
  page,
  newcomer,
  rows,
}) => {
  const { main, field } = inMain(page)
  copyIntoOtherOffice(rows, newcomer)
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  const aged = 'update sessions set proven_at = proven_at - 660000 where user_id = ?'
  rows.change(aged, newcomer.id)
  await page.goto(PAGE)
  await expect(page).toHaveURL(/\/step-up/)
  await field('Contraseña').fill(newcomer.password)
  await main.getByRole('button').last().click()
  await expect(page).toHaveURL(PAGE)
})
