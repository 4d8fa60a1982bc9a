import { randomUUID } from 'node:crypto'
import { ageProof, test } from '#tests/e2e/support/colleague.ts'
import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { send } from '#tests/e2e/support/http.ts'

test('access token: shown once, opens the signing calls and ends when revoked', async ({
  page,
  demo,
  colleague,
  office,
  hasScripts,
}) => {
  await page.goto('/login?returnUrl=%2Fdashboard%2Fprofile%2Ftokens')
  await inMain(page).field('Correo electrónico').fill(colleague.email)
  await inMain(page).field('Contraseña').fill(colleague.password)
  await inMain(page).button('Iniciar Sesión').click()
  await expect(page).toHaveURL('/dashboard/profile/tokens')
  await expect(page.getByText('Ningún programa puede pedir firmas en su nombre.')).toBeVisible()

  await inMain(page).button('Crear token').click()
  await expect(page.getByText('Escriba un nombre con el que reconozca')).toBeVisible()

  ageProof(office, colleague, 11)
  await inMain(page).field('Nombre').fill('Equipo del despacho')
  await inMain(page).button('Crear token').click()
  await expect(page).toHaveURL(/\/step-up\//)
  await inMain(page).field('Contraseña').fill(colleague.password)
  await page.getByRole('main').getByRole('button').last().click()

  await expect(page).toHaveURL('/dashboard/profile/tokens')
  const token = await page.locator('code').innerText()
  expect(token).toMatch(/^rubrica_[\w-]{43}$/)
  const turns = () =>
    send(`${demo.origin}/api/v1/signing/turns`, { headers: { Authorization: `Bearer ${token}` } })
  expect((await turns()).status).toBe(200)

  await page.reload()
  await expect(page.getByText('Equipo del despacho')).toBeVisible()
  await expect(page.locator('code')).toHaveCount(0)
  await expect(page.getByText(/último uso/)).toBeVisible()

  await inMain(page).button('Revocar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El token de acceso se revocó.')
  expect((await turns()).status).toBe(401)
})

test('access token: the twenty-first is refused until one is revoked', async ({
  page,
  colleague,
  office,
  hasScripts,
}) => {
  const { field, button } = inMain(page)
  for (let place = 1; place <= 20; place++)
    office.change(
      `insert into access_tokens (id, office_id, user_id, name, token_hash, scopes, created_at, expires_at)
       select ?, office_id, id, ?, ?, 'sign', ?, ? from users where id = ?`,
      ...[randomUUID(), `Programa ${place}`, randomUUID(), Date.now(), Date.now() + 9e9],
      colleague.id,
    )
  await page.goto('/login?returnUrl=%2Fdashboard%2Fprofile%2Ftokens')
  await field('Correo electrónico').fill(colleague.email)
  await field('Contraseña').fill(colleague.password)
  await button('Iniciar Sesión').click()
  await expect(page.getByText('Programa 20', { exact: true })).toBeVisible()
  await field('Nombre').fill('Uno de más')
  await button('Crear token').click()
  await expect(inMain(page).main).toContainText(
    'Puede tener hasta 20 tokens de acceso vigentes. Revoque uno que ya no use para crear otro.',
  )
  await expect(page.locator('code')).toHaveCount(0)
  await button('Revocar').first().click()
  await expect(messageOn(page, hasScripts)).toHaveText('El token de acceso se revocó.')
  await field('Nombre').fill('Uno de más')
  await button('Crear token').click()
  await expect(page.locator('code')).toHaveText(/^rubrica_/)
})
