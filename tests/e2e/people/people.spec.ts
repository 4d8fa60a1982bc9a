import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, inMain, messageOn, signIn } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { allowNextCode, setUpApp, test } from '#tests/e2e/support/newcomers.ts'

const messageWith = (page: Page, hasScripts: boolean, hasText: string) =>
  messageOn(page, hasScripts).filter({ hasText })

const GOOD = 'caballo grapa lluvia 47 tinta'
const REASON = 'Lo pidió la persona en la oficina'

test('invitation: an administrator invites a user, who activates the account and reaches the dashboard', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  const { field, button, link, main, text } = inMain(page)
  const email = `ana-${randomUUID().slice(0, 8)}@notaria.example`
  await signedInAs('administrador')
  await page.goto('/dashboard/users')
  await link('Invitar a una persona').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Invitar a una persona')
  await field('Nombres').fill('Ana Lucía')
  await field('Apellidos').fill('Ñandú Peña')
  await field('Correo electrónico').fill(email)
  await field('RFC').fill('ÑAPA900101AB7')
  await field('Calidad').selectOption('suplente')
  await button('Invitar').click()

  await expect(text('Marque al menos un rol.')).toBeVisible()
  await expect(field('Calidad')).toHaveAccessibleDescription(/La calidad es de los notarios/)
  await expect(field('Apellidos')).toHaveValue('Ñandú Peña')
  await field('Notario').check()
  await button('Invitar').click()
  await expect(text('Escriba a qué notario suple y de qué notaría.')).toBeVisible()
  await field('A quién suple (solo suplentes)').fill('Lic. Óscar Peña, Notaría 14 de Coyoacán')
  await button('Invitar').click()

  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Ana Lucía Ñandú Peña')
  await expect(messageWith(page, hasScripts, 'La invitación quedó lista.')).toBeVisible()
  await expect(main).toContainText('Entréguelo en persona o por un medio seguro.')
  await expect(main).toContainText('El último carácter del RFC no es el que corresponde')
  const code = await main.locator('dd code').first().innerText()
  expect(code).toMatch(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}-[0-9A-Z]{6}$/)
  const wayIn = await main.locator('dd code').nth(1).innerText()
  expect(wayIn).toMatch(/\/activate#/)
  await page.reload()
  await expect(main.getByText(code)).toHaveCount(0)

  await page.context().clearCookies()
  await page.goto(wayIn)
  if (!hasScripts) await field('Código del enlace').fill(code)
  await field('Contraseña nueva').fill(GOOD)
  await field('Confirmar contraseña nueva').fill(GOOD)
  await button('Guardar y entrar').click()
  await expect(page).toHaveURL(/\/setup-mfa/)
  await page.goto('/dashboard')
  await expect(page.getByRole('banner')).toContainText('Ana Lucía Ñandú Peña')
})

test('suspension: takes effect on the next click and can be lifted', async ({
  page,
  demo,
  hasScripts,
  newcomer,
  signedInAs,
}) => {
  const { field, button, main } = inMain(page)
  const elsewhere = await signedInClient(demo.origin, newcomer)
  await signedInAs('administrador')
  await page.goto(`/dashboard/users?text=${newcomer.email}`)
  await main.getByRole('link', { name: newcomer.name }).click()
  await main.getByText('Suspender la cuenta').click()
  await field('Motivo').fill(REASON)
  await button('Suspender').click()
  await expect(messageWith(page, hasScripts, 'La cuenta se suspendió')).toBeVisible()
  expect((await elsewhere.get('/dashboard')).headers.location).toMatch(/^\/login/)
  await expect(main).toContainText(`Motivo${REASON}`)
  await expect(main).toContainText('Suspendido')
  await expect(signedInClient(demo.origin, newcomer)).rejects.toThrow(/could not sign in: 4/)

  await main.getByRole('link', { name: 'Reactivar' }).click()
  await field('Motivo').fill('Regresó de su licencia')
  await button('Reactivar').click()
  await expect(messageWith(page, hasScripts, 'La cuenta se reactivó.')).toBeVisible()
  const back = await signedInClient(demo.origin, newcomer)
  expect((await back.get('/dashboard')).text).toContain('Cuenta reactivada')
})

test('sessions: an administrator ends one or all of them, and the user is notified', async ({
  page,
  demo,
  hasScripts,
  newcomer,
  signedInAs,
}) => {
  const { button, main } = inMain(page)
  const clients = [
    await signedInClient(demo.origin, newcomer, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0'),
    await signedInClient(demo.origin, newcomer),
    await signedInClient(demo.origin, newcomer),
  ]
  const alive = async () => {
    const answers = await Promise.all(clients.map((client) => client.get('/dashboard')))
    return answers.map(({ status }) => status === 200)
  }
  expect(await alive()).toEqual([true, true, true])
  await signedInAs('administrador')
  await page.goto(`/dashboard/users/${newcomer.id}`)
  await expect(button('Cerrar sesión')).toHaveCount(3)
  const firefox = main.getByRole('listitem').filter({ hasText: 'Firefox en Linux' })
  await firefox.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(messageWith(page, hasScripts, 'La sesión de la persona se cerró.')).toBeVisible()
  expect(await alive()).toEqual([false, true, true])
  await button('Cerrar todas las sesiones').click()
  await expect(main).toContainText('No tiene ninguna sesión abierta.')
  expect(await alive()).toEqual([false, false, false])

  await page.context().clearCookies()
  await page.goto('/login')
  await signIn(page, newcomer)
  await page.getByRole('link', { name: /^Alertas: / }).click()
  await expect(main).toContainText('Óscar Méndez Villaseñor cerró 2 sesiones de su cuenta.')
})

test('forced password change: no page opens before it', async ({
  page,
  demo,
  hasScripts,
  newcomer,
  signedInAs,
}) => {
  const { field, button, main } = inMain(page)
  const elsewhere = await signedInClient(demo.origin, newcomer)
  await signedInAs('administrador')
  await page.goto(`/dashboard/users/${newcomer.id}`)
  await main.getByText('Pedir cambio de contraseña').click()
  await field('Motivo').fill(REASON)
  await button('Pedir cambio').click()
  await expect(messageWith(page, hasScripts, 'Se pedirá a la persona que cambie')).toBeVisible()
  await expect(main).toContainText('Debe cambiar su contraseña antes de continuar')
  expect((await elsewhere.get('/dashboard/documents')).headers.location).toMatch(
    /^\/change-password/,
  )

  await page.context().clearCookies()
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL(/\/change-password/)
  await field('Contraseña actual').fill(newcomer.password)
  await field('Contraseña nueva').fill(GOOD)
  await field('Confirmar contraseña nueva').fill(GOOD)
  await button('Cambiar contraseña').click()
  await expect(page).not.toHaveURL(/\/change-password/)
  await page.goto('/dashboard/alerts')
  await expect(main).toContainText('pidió que se cambie la contraseña de su cuenta')
})

test('lost second factor: two administrators remove it together', async ({
  page,
  demo,
  rows,
  hasScripts,
  newcomer,
  signedInAs,
}) => {
  test.slow()
  const { field, button, main, text } = inMain(page)
  const reason = `Perdió el teléfono (${newcomer.email})`
  await setUpApp(page, newcomer)
  allowNextCode(rows, newcomer)
  await signedInAs('administrador')
  await page.goto(`/dashboard/users/${newcomer.id}`)
  await expect(main).toContainText('Aplicación de autenticación')
  await expect(main).toContainText('Quedan 10 de 10')
  await main.getByText('Solicitar retiro').first().click()
  await field('Motivo').first().fill(reason)
  await button('Solicitar retiro').click()
  await expect(messageWith(page, hasScripts, 'Debe aprobarla otro administrador.')).toBeVisible()
  await expect(text('Retiro por aprobar')).toBeVisible()
  await expect(button('Aprobar retiro')).toHaveCount(0)
  await expect(button('Retirar solicitud')).toBeVisible()

  await signedInAs('titular')
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /^Alertas: / }).click()
  const alert = main.getByRole('listitem').filter({ hasText: reason })
  await alert.getByRole('button', { name: 'Marcar como leída' }).click()
  await expect(alert.getByRole('button', { name: 'Marcar como leída' })).toHaveCount(0)
  await alert.getByRole('link', { name: 'Revisar solicitud' }).click()
  await expect(main).toContainText(`Motivo: ${reason}`)
  await button('Aprobar retiro').click()
  await expect(messageOn(page, hasScripts).last()).toContainText(
    'La verificación en dos pasos se retiró',
  )
  await expect(main).toContainText('Sin activar')
  await page.goto('/dashboard/alerts?show=resolved')
  await expect(alert).toContainText('Atendida el')

  // The password alone is enough again, until a new factor is set up.
  const back = await signedInClient(demo.origin, newcomer)
  const { text: alerts } = await back.get('/dashboard/alerts')
  expect(alerts).toContain('retiró toda la verificación en dos pasos de su cuenta')
})

test('administration: asks for a recent proof of identity, then completes the submitted form', async ({
  page,
  rows,
  hasScripts,
  newcomer,
}) => {
  const { field, button, main } = inMain(page)
  rows.change(
    `insert into user_roles (user_id, role, granted_at) values (?, 'ADMIN', 0)`,
    newcomer.id,
  )
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
  rows.change('update sessions set proven_at = proven_at - 3600000 where user_id = ?', newcomer.id)
  await page.goto('/dashboard/users/new')
  await field('Nombres').fill('Beto')
  await field('Apellidos').fill('Íñiguez')
  await field('Correo electrónico').fill(`beto-${randomUUID().slice(0, 8)}@notaria.example`)
  await field('RFC').fill('IIBE900101AB7')
  await field('Auxiliar').check()
  await button('Invitar').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Confirme su identidad')
  await field('Contraseña').fill(newcomer.password)
  await button('Verificar').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Beto Íñiguez')
  await expect(messageWith(page, hasScripts, 'La invitación quedó lista.')).toBeVisible()
  await expect(main.locator('dd code').first()).toBeVisible()
})
