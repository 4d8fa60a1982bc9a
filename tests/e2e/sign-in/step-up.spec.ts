import { ageAccess, ageProof, test } from '#tests/e2e/support/colleague.ts'
import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

test('step-up: after the proof the submitted form completes', async ({
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
  await expect(messageOn(page, hasScripts)).toHaveText('Las demás sesiones se cerraron.')
  expect((await elsewhere.get('/dashboard')).headers.location).toContain('/login')

  // The way back leads to no form that asks once more.
  await page.goBack()
  await expect(page).toHaveURL('/dashboard/profile')
})

test('step-up: proving it in a second tab does not repeat the action', async ({
  page,
  demo,
  colleague,
  office,
}) => {
  const signInHere = async () => {
    await page.goto('/login?returnUrl=%2Fdashboard%2Fprofile')
    await inMain(page).field('Correo electrónico').fill(colleague.email)
    await inMain(page).field('Contraseña').fill(colleague.password)
    await inMain(page).button('Iniciar Sesión').click()
    await expect(page).toHaveURL('/dashboard/profile')
  }
  await signedInClient(demo.origin, colleague, 'Elsewhere/1.0')
  await signInHere()
  ageProof(office, colleague, 11)
  await inMain(page).button('Cerrar las demás sesiones').click()
  await expect(page).toHaveURL(/\/step-up\/[0-9a-f-]{36}$/)
  const second = await page.context().newPage()
  await second.goto(page.url())
  await inMain(page).field('Contraseña').fill(colleague.password)
  await page.getByRole('main').getByRole('button').last().click()
  await expect(page).toHaveURL('/dashboard/profile')

  // Had the form of the second tab gone on, this session would have been ended, too.
  const later = await signedInClient(demo.origin, colleague, 'Later/1.0')
  const sent: string[] = []
  second.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await inMain(second).field('Contraseña').fill(colleague.password)
  await second.getByRole('main').getByRole('button').last().click()
  await expect(second).toHaveURL('/dashboard/profile')
  expect(sent).toHaveLength(1)
  expect((await later.get('/dashboard')).status).toBe(200)
})

test('step-up: a refusal after the proof shows on its own page and URL', async ({
  page,
  demo,
  colleague,
  office,
  hasScripts,
  person,
  faults,
}) => {
  await signedInClient(demo.origin, colleague)
  await page.goto('/login?returnUrl=%2Fdashboard%2Fprofile')
  await inMain(page).field('Correo electrónico').fill(colleague.email)
  await inMain(page).field('Contraseña').fill(colleague.password)
  await inMain(page).button('Iniciar Sesión').click()
  await expect(page).toHaveURL('/dashboard/profile')
  ageProof(office, colleague, 11)
  await inMain(page).button('Cerrar esta sesión').click()
  await expect(page).toHaveURL(/\/step-up\/[0-9a-f-]{36}$/)
  // Meanwhile the session belongs to another user.
  office.change(
    `update sessions set user_id = (select id from users where email = ?) where id =
     (select id from sessions where user_id = ? order by created_at limit 1)`,
    person('AUDITOR').email,
    colleague.id,
  )
  await inMain(page).field('Contraseña').fill(colleague.password)
  await page.getByRole('main').getByRole('button').last().click()
  await expect(page.getByText('El recurso solicitado no fue encontrado.')).toBeVisible()
  if (hasScripts) {
    await expect(page).toHaveURL('/dashboard/profile')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  } else await expect(page).toHaveURL(/\/step-up\//)
  // The browser's own note of the status of the page.
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes('404')))
})

test('session: a page left open for hours continues without signing in', async ({
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

test('sign-out: the back button shows no earlier page', async ({ page, colleague }) => {
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
