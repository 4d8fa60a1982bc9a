import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { clientOf, signedInClient } from '#tests/e2e/support/http.ts'
import { test } from '#tests/e2e/support/newcomers.ts'

const WRONG = 'no es esta contraseña'

test('lock: an administrator sees it on the page of the person and lifts it', async ({
  page,
  demo,
  hasScripts,
  newcomer,
  rows,
  signedInAs,
}) => {
  const { email, password } = newcomer
  const attempt = async (typed: string) =>
    (await clientOf(demo.origin).post('/login', { email, password: typed })).status
  await signedInAs('administrador')
  const person = `/dashboard/users/${newcomer.id}`
  const { button, main } = inMain(page)
  await page.goto(person)
  await expect(main.getByRole('heading', { name: 'Bloqueo temporal' })).toHaveCount(0)

  for (let turn = 0; turn < 5; turn += 1) expect(await attempt(WRONG)).toBe(401)
  expect(await attempt(password)).toBe(429)
  const row = main.getByRole('row').filter({ hasText: email })
  await page.goto('/dashboard/users')
  await expect(row).toContainText('Bloqueada')
  await page.goto(person)
  await expect(main.getByRole('heading', { name: 'Bloqueo temporal' })).toBeVisible()
  await expect(main).toContainText('Hubo demasiados intentos con la contraseña equivocada')
  await expect(main).toContainText(/Termina el \d/)
  await button('Quitar bloqueo').click()
  await expect(messageOn(page, hasScripts).filter({ hasText: 'El bloqueo se quitó' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(person))
  await expect(main.getByRole('heading', { name: 'Bloqueo temporal' })).toHaveCount(0)
  await page.goto('/dashboard/users')
  await expect(row).toBeVisible()
  await expect(row).not.toContainText('Bloqueada')
  expect(await attempt(password)).toBe(303)
  const events = rows.all<{ action: string }>(
    `select action from audit_events where subject_id = ? and action = 'session.lock-lifted'`,
    newcomer.id,
  )
  expect(events).toHaveLength(1)
})

test('lock: a form sent twice says that there is none any more', async ({
  demo,
  newcomer,
  person,
}) => {
  const { email } = newcomer
  for (let turn = 0; turn < 6; turn += 1)
    await clientOf(demo.origin).post('/login', { email, password: WRONG })
  const admin = await signedInClient(demo.origin, person('administrador'))
  const lift = async () => {
    await admin.post(`/dashboard/users/${newcomer.id}`, { intent: 'lift-lock' })
    return (await admin.get(`/dashboard/users/${newcomer.id}`)).text
  }
  expect(await lift()).toContain('El bloqueo se quitó')
  expect(await lift()).toContain('La cuenta ya no tenía ningún bloqueo.')
})
