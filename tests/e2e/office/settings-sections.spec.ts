import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'

const test = withOwnOffice()

test('settings: a menu of sections marks the open page; a policy that another tab changed is told', async ({
  page,
  context,
  hasScripts,
  signedInAs,
}) => {
  const { main, link, field, button } = inMain(page)
  const menu = main.getByRole('navigation', { name: 'Secciones de Configuración' })
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await expect(menu.getByRole('link', { name: 'Resumen' })).toHaveAttribute('aria-current', 'page')
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(height).toBeLessThan(3_000)
  await link('Correo y avisos').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Servidor de correo')
  await link('Recordatorios').click()
  await expect(menu.locator('[aria-current=page]')).toHaveText('Recordatorios')
  expect(
    await main.evaluate((element) => element.scrollWidth - element.clientWidth),
  ).toBeLessThanOrEqual(0)

  const other = await context.newPage()
  await other.goto('/dashboard/settings/reminders')
  await inMain(other).field('Cuándo se envían').selectOption('A los 3 días')
  await inMain(other).button('Guardar').click()
  await expect(messageOn(other, hasScripts)).toHaveText('La política se guardó.')
  await other.close()
  await field('Cuándo se envían').selectOption('A los 7 días')
  await button('Guardar').click()
  await expect(main).toContainText('alguien cambió esta política: ahora es “A los 3 días”')
  await expect(field('Cuándo se envían')).toHaveValue('7')
  await button('Guardar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('La política se guardó.')
  await expect(main).toContainText('A los 7 días')
  await page.goto('/dashboard/audit')
  await expect(main).toContainText(
    'cambió políticas de la notaría: Recordatorios automáticos, de “A los 3 días” a “A los 7 días”',
  )

  await signedInAs('CLERK')
  await page.goto('/dashboard/settings')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Configuración')
  // What they may read, and nothing that they may not change.
  await expect(menu.getByRole('link')).toHaveText(['Resumen', 'Firma', 'Acceso', 'Documentos'])
  await link('Ver roles').click()
  await expect(main.getByRole('row', { name: /^Firmar documentos/ })).toContainText('Sí')
  await page.goto('/dashboard/settings')
  await link('Ver autoridades').click()
  await expect(main).toContainText('de la demostración')
  await expect(link('Importar autoridades')).toHaveCount(0)
  await page.goto('/dashboard/settings')
  await link('Ver proveedores').click()
  await expect(main).toContainText('Autoridad de sellos de la demostración')
  await expect(link('Agregar proveedor')).toHaveCount(0)
})

test('mail server: what is wrong is told beside it, the password is not shown again, and a test says what the server answered', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  test.setTimeout(120_000)
  const { main, field, button } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings/mail')
  await field('Servidor').fill('127.0.0.1')
  await field('Usuario').fill('rubrica')
  await field('Nombre del remitente').fill('Notaría 12')
  await field('Correo del remitente').fill('rubrica@notaria.example')
  await button('Guardar').click()
  await expect(main).toContainText('No se acepta una dirección IP ni este mismo equipo.')
  await expect(field('Usuario')).toHaveValue('rubrica')
  await field('Servidor').fill('correo.notaria.invalid')
  await button('Guardar').click()
  await expect(main).toContainText('la que está guardada solo se usa con el servidor')
  await field('Contraseña del servidor').fill('una-contraseña-de-correo')
  await button('Guardar').click()
  const message = (text: string) => messageOn(page, hasScripts).filter({ hasText: text })
  await expect(message('El servidor de correo se guardó.')).toBeVisible()
  await expect(field('Servidor')).toHaveValue('correo.notaria.invalid')
  await expect(field('Contraseña del servidor')).toHaveValue('')
  expect(await page.content()).not.toContain('una-contraseña-de-correo')
  await field('Nombre del remitente').fill('Notaría 12 de Coyoacán')
  const saved = page.waitForResponse((response) => response.request().method() === 'POST')
  await button('Guardar').click()
  await saved
  await page.goto('/dashboard/settings/mail')
  await expect(field('Nombre del remitente')).toHaveValue('Notaría 12 de Coyoacán')

  await button('Enviar correo de prueba').click()
  await expect(main.getByRole('alert')).toContainText('No se pudo usar el servidor de correo.', {
    timeout: 60_000,
  })
  await button('Quitar servidor de correo').click()
  await expect(message('El servidor de correo se quitó.')).toBeVisible()
  await expect(button('Enviar correo de prueba')).toHaveCount(0)
})

test('public page: names as initials and no downloads, as the office decided', async ({
  page,
  demo,
  hasScripts,
  signedInAs,
}) => {
  const { main, field, button } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings/public-page')
  await field('Informe y prueba de la bitácora').selectOption('No se ofrecen')
  await button('Guardar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Las políticas se guardaron.')
  await page.goto('/dashboard/documents?state=signed')
  const signed = main.locator('a[href^="/dashboard/documents/"]', { hasText: /\S/ })
  const paths = await signed.evaluateAll((links) => links.map((one) => one.getAttribute('href')))
  const id = paths.flatMap((path) => /([0-9a-f-]{36})$/.exec(path ?? '')?.[1] ?? []).at(0)
  expect(id).toBeDefined()
  const answer = await page.request.get(`${demo.origin}/verify/${id}/report.json`)
  expect([answer.status(), await answer.text()]).toEqual([
    403,
    expect.stringContaining('no ofrece descargas'),
  ])
})
