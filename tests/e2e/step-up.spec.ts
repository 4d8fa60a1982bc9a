import { ageAccess, ageProof, test } from './support/colleague.ts'
import { signedInClient } from './support/http.ts'
import { expect, inMain, newsOn } from './support/story.ts'

test('whoever proves who they are goes on with what they asked, without asking again', async ({
  page,
  demo,
  colleague,
  office,
  hasScripts,
}) => {
  const elsewhere = await signedInClient(demo.origin, colleague, 'Elsewhere/1.0')
  await page.goto('/login?returnUrl=%2Fdashboard%2Fprofile')
  await inMain(page).field('Correo electrónico').fill(colleague.email)
  await inMain(page).field('Contraseña').fill(colleague.password)
  await inMain(page).button('Iniciar Sesión').click()
  await expect(page).toHaveURL('/dashboard/profile')

  ageProof(office, colleague, 11)
  await inMain(page).button('Cerrar las demás sesiones').click()
  await expect(page).toHaveURL(/\/step-up\/[0-9a-f-]{36}$/)
  expect((await elsewhere.get('/dashboard')).status).toBe(200)
  await inMain(page).field('Contraseña').fill(colleague.password)
  await page.getByRole('main').getByRole('button').last().click()
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(newsOn(page, hasScripts)).toHaveText('Las demás sesiones se cerraron.')
  expect((await elsewhere.get('/dashboard')).headers.location).toContain('/login')

  // The way back leads to no form that asks once more.
  await page.goBack()
  await expect(page).toHaveURL('/dashboard/profile')
})

test('a page that stays open for hours goes on without signing in again', async ({
  page,
  colleague,
  office,
}) => {
  await page.goto('/login')
  await inMain(page).field('Correo electrónico').fill(colleague.email)
  await inMain(page).field('Contraseña').fill(colleague.password)
  await inMain(page).button('Iniciar Sesión').click()
  await expect(page).toHaveURL('/dashboard')
  for (const [name, way] of [
    ['Documentos', '/dashboard/documents'],
    ['Certificados', '/dashboard/certificates'],
  ] as const) {
    ageAccess(office, colleague)
    await page.goto(way)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toContainText(name)
  }
})

test('after signing out the way back shows nothing of before', async ({ page, colleague }) => {
  await page.goto('/login')
  await inMain(page).field('Correo electrónico').fill(colleague.email)
  await inMain(page).field('Contraseña').fill(colleague.password)
  await inMain(page).button('Iniciar Sesión').click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/dashboard/profile')
  await page.locator('summary').filter({ visible: true }).last().click()
  await page
    .getByRole('button', { name: 'Cerrar Sesión' })
    .filter({ visible: true })
    .first()
    .click()
  await expect(page).toHaveURL('/login')
  await page.goBack()
  await expect(page).toHaveURL(/\/login\?returnUrl=/)
  await expect(page.getByText(colleague.email)).toHaveCount(0)
})
