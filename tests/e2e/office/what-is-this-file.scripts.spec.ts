import path from 'node:path'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

const PATH = '/dashboard/certificates/file'

test('private key: the page says what it is and whether the password opens it, and sends nothing', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main, field, button } = inMain(page)
  const { cer, key, keyPassword } = person('titular')
  const password = () => field('Contraseña de la clave privada (opcional)')
  await signedInAs('CLERK')
  await page.goto(PATH)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  await field('Archivos').setInputFiles([key])
  await expect(main).toContainText('Clave privada (.key)')
  await password().fill('otra')
  await button('Probar la contraseña').click()
  await expect(main).toContainText('La contraseña no corresponde a esta clave privada.')
  await password().fill(keyPassword)
  await password().press('Enter')
  await expect(main).toContainText('La contraseña abre la clave privada.')

  await expect(password()).toHaveValue('')

  await field('Archivos').setInputFiles([cer, key])
  await expect(main).not.toContainText('La contraseña abre')
  await password().fill(keyPassword)
  await button('Probar la contraseña').click()
  // The help of the field has words like these.
  await expect(main).toContainText('la clave es la del certificado de')
  const other = demo.users.find(({ cer: another }) => another !== cer)
  await field('Archivos').setInputFiles([other?.cer ?? '', key])
  await expect(main).toContainText(path.basename(other?.cer ?? ''))
  await password().fill(keyPassword)
  await button('Probar la contraseña').click()
  await expect(main).toContainText('pero la clave no es la del certificado de')
  expect(sent).toEqual([])
  const named = await main.locator('input[name]:not([type=hidden])').count()
  expect(named).toBe(0)
})

test('file that was chosen before the scripts ran: is described', async ({
  page,
  person,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  const { promise: chosen, resolve: begin } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await chosen
    await route.continue()
  })
  await page.goto(PATH, { waitUntil: 'commit' })
  const { main, field } = inMain(page)
  await field('Archivos').setInputFiles(person('titular').cer)
  begin()
  await expect(main).toContainText('Certificado de e.firma de una persona física')
})
