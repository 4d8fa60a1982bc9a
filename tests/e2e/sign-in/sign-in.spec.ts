import { expect, inMain, messageOn, signIn, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

const WRONG = 'El correo o la contraseña no son correctos.'
const EXPIRED = 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.'

test('sign-in: a wrong password and an unknown account get the same message', async ({
  page,
  person,
}) => {
  const { field, main } = inMain(page)
  const { email } = person('AUDITOR')
  for (const typed of [email, 'nadie@notaria.example']) {
    await page.goto('/login')
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await signIn(page, { email: typed, password: 'no es esta contraseña' })
    expect((await answer).status()).toBe(401)
    await expect(page.getByRole('alert')).toHaveText(WRONG)
    await expect(field('Correo electrónico')).toHaveValue(typed)
    await expect(field('Contraseña')).toHaveValue('')
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Iniciar Sesión')
  }
})

test('sign-in: missing fields are reported at the field', async ({ page }) => {
  const { field } = inMain(page)
  await page.goto('/login')
  await signIn(page, { email: 'sin arroba', password: '' })
  await expect(field('Correo electrónico')).toHaveAccessibleDescription(
    'Escriba su correo completo, como nombre@notaria.mx.',
  )
  await expect(field('Contraseña')).toHaveAccessibleDescription('Escriba su contraseña.')
  await expect(field('Correo electrónico')).toHaveValue('sin arroba')
})

test('sign-in: redirects to /login and back to the requested page', async ({ page, person }) => {
  const wanted = '/dashboard/documents?state=signed'
  await page.goto(wanted)
  await expect(page).toHaveURL(`/login?returnUrl=${encodeURIComponent(wanted)}`)
  await expect(page.getByText(EXPIRED)).toHaveCount(0)
  await signIn(page, person('CLERK'))
  await expect(page).toHaveURL(wanted)
  await page.goto('/login')
  await expect(page).toHaveURL('/dashboard')
})

test('sign-out: the back button shows no page of the session', async ({ page, signedInAs }) => {
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents')
  await expect(inMain(page).main.getByRole('table')).toBeVisible()
  await page.getByRole('banner').locator('summary', { hasText: 'IC' }).click()
  await page.getByRole('button', { name: 'Cerrar Sesión', exact: true }).click()
  await expect(page).toHaveURL('/login')
  await page.goBack()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?returnUrl=%2Fdashboard')
})

/* Each project signs in as another device, so that neither ends the session of the other. */
const machine = (hasScripts: boolean) =>
  hasScripts
    ? { name: 'Firefox en Windows', userAgent: `${FIREFOX} (Windows NT 10.0; rv:128.0)${GECKO}` }
    : { name: 'Firefox en Linux', userAgent: `${FIREFOX} (X11; Linux x86_64; rv:128.0)${GECKO}` }
const FIREFOX = 'Mozilla/5.0'
const GECKO = ' Gecko/20100101 Firefox/128.0'

test('session ended elsewhere: the next click leads to /login', async ({
  page,
  demo,
  hasScripts,
  signedInAs,
}) => {
  const { name, userAgent } = machine(hasScripts)
  const user = await signedInAs('LAWYER', userAgent)
  await page.goto('/dashboard')
  const elsewhere = await signedInClient(demo.origin, user)
  const { text } = await elsewhere.get('/dashboard/profile')
  const own = text.slice(text.indexOf(name))
  const sessionId = /name="sessionId" value="([^"]+)"/.exec(own)?.[1] ?? ''
  expect((await elsewhere.post('/dashboard/profile', { sessionId })).status).toBe(303)

  await page.getByRole('navigation').getByRole('link', { name: 'Documentos' }).click()
  await expect(page).toHaveURL('/login?returnUrl=%2Fdashboard%2Fdocuments')
  await expect(page.getByText(EXPIRED).filter({ visible: true })).toBeVisible()
  await signIn(page, user)
  await expect(page).toHaveURL('/dashboard/documents')
})

test('session ended from the profile: the page confirms it', async ({
  page,
  demo,
  hasScripts,
  signedInAs,
}) => {
  const { name, userAgent } = machine(hasScripts)
  const user = await signedInAs('administrador')
  const elsewhere = await signedInClient(demo.origin, user, userAgent)
  await page.goto('/dashboard/profile')
  await expect(inMain(page).text('Esta sesión')).toBeVisible()
  const other = inMain(page).main.getByRole('listitem').filter({ hasText: name })
  await other.getByRole('button', { name: 'Cerrar esta sesión', exact: true }).click()
  await expect(messageOn(page, hasScripts)).toHaveText('La sesión se cerró.')
  await expect(other).toHaveCount(0)
  expect((await elsewhere.get('/dashboard')).status).toBe(302)
})
