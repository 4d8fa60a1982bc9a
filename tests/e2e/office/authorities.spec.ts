import { createHash, randomUUID } from 'node:crypto'
import { createAuthority } from '#server/demo/certification-authority.ts'
import { instantOf } from '#server/domain/time.ts'
import { ageProof, test } from '#tests/e2e/support/colleague.ts'
import { expect, inMain, messageOn, signIn } from '#tests/e2e/support/fixtures.ts'
import { aPrivateAuthority } from '#tests/support/authorities/private-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { zipOf } from '#tests/support/zip.ts'

const REASON = 'Acta 12 del titular, huella comparada en persona'

const fileOf = (name: string, buffer: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(buffer),
})

test('authorities: an administrator imports a bundle, accepts an unknown authority and removes it again', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { main, field, button, link } = inMain(page)
  const name = `Autoridad del Estado ${randomUUID().slice(0, 8)}`
  const { certificate } = await aPrivateAuthority(name)
  const sha256 = createHash('sha256').update(certificate.der).digest('hex')
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await link('Ver autoridades').click()
  await expect(main).toContainText('de la demostración')
  await link('Importar autoridades').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Importar autoridades')

  await field('Archivo de la autoridad').setInputFiles(fileOf('nada.zip', Buffer.from('nada')))
  await button('Importar').click()
  await expect(main).toContainText('no se pudo leer ningún certificado')

  const bundle = zipOf([
    { name: 'raiz.crt', bytes: certificate.der, method: 'deflated' },
    { name: 'ana.cer', bytes: (await testEfirma()).cer, method: 'stored' },
  ])
  await field('Archivo de la autoridad').setInputFiles(fileOf('Estado.zip', bundle))
  await button('Importar').click()
  await expect(main).toContainText('Falta una decisión suya: abra la autoridad')
  await expect(main).toContainText('rechazada: no es de una autoridad')
  await link(name).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(main).toContainText('sin aceptar')

  await field('Motivo').fill(REASON)
  await field('Dirección donde responde (OCSP)').fill('ftp://otra.example')
  await button('Confiar en ella').click()
  await expect(main).toContainText('Escriba una dirección http:// o https://')
  await expect(field('Motivo')).toHaveValue(REASON)
  await field('Dirección donde responde (OCSP)').fill('http://ocsp.estado.example/')
  await button('Confiar en ella').click()
  await expect(page).toHaveURL('/dashboard/settings/authorities')
  await expect(messageOn(page, hasScripts)).toHaveText('La autoridad ya es de confianza.')

  await link(name).click()
  await expect(main).toContainText('aceptada por decisión')
  await expect(main).toContainText(`“${REASON}”`)
  await expect(main).toContainText('http://ocsp.estado.example/')
  await expect(main.locator('code')).toHaveText(sha256)
  await field('Motivo').fill('Ya no hace falta, acta 13')
  await button('Dejar de confiar').click()
  await expect(page).toHaveURL('/dashboard/settings/authorities')
  await expect(
    messageOn(page, hasScripts).filter({ hasText: 'La autoridad dejó de ser de confianza.' }),
  ).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: name })).toContainText('retirada')
})

test('authorities: an old proof of identity is renewed before the form is shown, and a decision waits for it', async ({
  page,
  office,
  colleague,
  hasScripts,
}) => {
  const { main, field, button, link } = inMain(page)
  const name = `Autoridad con espera ${randomUUID().slice(0, 8)}`
  const { certificate } = await aPrivateAuthority(name)
  office.change(
    `insert into user_roles (user_id, role, granted_at) values (?, 'ADMIN', 0)`,
    colleague.id,
  )
  const prove = async () => {
    await field('Contraseña').fill(colleague.password)
    await page.getByRole('main').getByRole('button').last().click()
  }
  await page.goto('/login?returnUrl=%2Fdashboard%2Fsettings%2Fauthorities')
  await signIn(page, colleague)
  await expect(page).toHaveURL('/dashboard/settings/authorities')

  ageProof(office, colleague, 11)
  await link('Importar autoridades').click()
  await expect(page).toHaveURL(/\/step-up\?returnUrl=/)
  await prove()
  await expect(page).toHaveURL('/dashboard/settings/authorities/new')
  await field('Archivo de la autoridad').setInputFiles(fileOf('raiz.cer', certificate.der))
  await button('Importar').click()
  await link(name).click()

  await field('Motivo').fill(REASON)
  ageProof(office, colleague, 11)
  await button('Confiar en ella').click()
  await expect(page).toHaveURL(/\/step-up\/[0-9a-f-]{36}$/)
  await prove()
  await expect(page).toHaveURL('/dashboard/settings/authorities')
  await expect(messageOn(page, hasScripts)).toHaveText('La autoridad ya es de confianza.')
  await expect(main.getByRole('listitem').filter({ hasText: name })).toContainText(
    'aceptada por decisión',
  )
})

test('authorities: a test authority can be accepted only in the demo and is marked as such', async ({
  page,
  signedInAs,
}) => {
  const { main, field, button, link } = inMain(page)
  const { root } = await createAuthority({ now: instantOf(Date.now()) })
  await signedInAs('administrador')
  await page.goto('/dashboard/settings/authorities/new')
  await field('Archivo de la autoridad').setInputFiles(fileOf('raiz.cer', root.der))
  await button('Importar').click()
  await link(root.name).click()
  await expect(main).toContainText('de prueba')
  await expect(main).toContainText('sin aceptar')
})
