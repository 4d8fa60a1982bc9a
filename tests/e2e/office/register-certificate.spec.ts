import { readFileSync } from 'node:fs'
import { aFile, expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'

const test = withOwnOffice()

test('own certificate: it is registered from its file once; another file is refused with its reason', async ({
  page,
  demo,
  person,
  signedInAs,
  hasScripts,
}) => {
  const { main, link, field, button } = inMain(page)
  // The demo knows the certificates of all its users, and not yet that of its external signer: the auditor is them.
  const own = demo.guest
  const rows = officeDatabase(demo.dataFolder ?? '')
  rows.change('update users set rfc = ? where email = ?', own.rfc, person('AUDITOR').email)
  rows.close()
  const csd = demo.refused.find(({ kind }) => kind === 'csd')
  const file = field('Certificado (.cer)')
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/certificates')
  await link('Registrar certificado').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Registrar certificado')
  await button('Registrar').click()
  await expect(main).toContainText('Elija el archivo .cer de su e.firma.')
  await file.setInputFiles(csd?.cer ?? '')
  await button('Registrar').click()
  await expect(main).toContainText('Es un certificado de sello digital (CSD)')
  await file.setInputFiles(person('titular').cer)
  await button('Registrar').click()
  await expect(main).toContainText('Cada quien registra el suyo')
  await file.setInputFiles(aFile('otro.cer', 'hola'))
  await button('Registrar').click()
  await expect(main).toContainText('El archivo no es un certificado o está dañado.')

  await file.setInputFiles(own.cer)
  await button('Registrar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Su certificado quedó registrado.')
  const name = `${own.firstName} ${own.lastName}`.toUpperCase()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(main).toContainText('Con este certificado no se ha firmado ningún documento aquí.')
  const first = new URL(page.url()).pathname

  await page.goto('/dashboard/certificates/new')
  await file.setInputFiles(aFile('mío.cer', readFileSync(own.cer)))
  await button('Registrar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Este certificado ya estaba registrado.')
  expect(new URL(page.url()).pathname).toBe(first)
  await page.goto('/dashboard/audit')
  await expect(main).toContainText('registró el certificado de su e.firma')
})

test('private key by mistake: with scripts it stays in the browser, without them it is refused', async ({
  page,
  person,
  signedInAs,
  hasScripts,
}) => {
  const { main, field, button } = inMain(page)
  const { key } = person('CLERK')
  await signedInAs('CLERK')
  await page.goto('/dashboard/certificates/new')
  await field('Certificado (.cer)').setInputFiles(key)
  if (hasScripts) {
    await expect(main).toContainText('Es una clave privada, no un certificado: no se envió.')
    await expect(field('Certificado (.cer)')).toHaveValue('')
    return
  }
  await button('Registrar').click()
  await expect(main).toContainText('Es una clave privada, no un certificado.')
})
