import { readFileSync } from 'node:fs'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

/** The attributes of the holder and the issuer, the number, and what the SAT's profile says beside them. */
function factsIn(file: string): { oid: string; value: string }[] {
  const { subject, issuer, serial } = readCertificate(readFileSync(file))
  const number = Buffer.from(serial, 'hex').toString('latin1')
  return [
    ...[...subject.attributes, ...issuer.attributes],
    ...(number.match(/.{4}/g) ?? []).map((value) => ({ oid: 'number', value })),
    { oid: 'keyUsage', value: 'firma digital, no repudio, cifrado de datos, acuerdo de claves' },
    { oid: 'netscapeCertType', value: 'cliente SSL, S/MIME' },
  ]
}

/** Every fact that the page of an e.firma names. */
const FACTS = [
  ...['Número de certificado', 'Tipo', 'De quién es', 'Vigente desde', 'Vigente hasta'],
  ...['Revocación', 'Registrado', 'RFC', 'CURP', 'Clave pública', 'Algoritmo de firma'],
  ...['Uso de la clave', 'Uso extendido', 'Tipo de certificado (Netscape)', 'Autoridad'],
  ...['Políticas', 'OCSP', 'Listas de revocación', 'Versión', 'Número de serie (hexadecimal)'],
  ...['Huella digital (SHA-256)', 'Huella digital (SHA-1)', 'Extensiones'],
]
const EXTENSIONS = ['Restricciones básicas (crítica)', 'Uso extendido', 'Netscape']

test('certificate: its page has its facts, its chain, the documents that it signed and its file', async ({
  page,
  person,
  signedInAs,
  signedDeed,
}) => {
  const { main, link } = inMain(page)
  const deed = await signedDeed()
  const holder = person('titular')
  const name = `${holder.firstName} ${holder.lastName}`
  await signedInAs('titular')
  await page.goto('/dashboard/certificates')
  await link(name.toUpperCase()).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(name.toUpperCase())
  await expect(main).toContainText(/Vence en [\d,]+ días\./)
  await expect(main).toContainText('e.firma de persona física')
  await expect(main).toContainText('RSA de 2048 bits, exponente 65537')
  await expect(main).toContainText('firma digital, no repudio, cifrado de datos, acuerdo de claves')
  await expect(main).toContainText('La cadena termina en una autoridad de confianza')
  await expect(main).not.toContainText('Reservado')
  const shown = (await main.textContent()) ?? ''
  for (const { oid, value } of factsIn(holder.cer)) expect(shown, oid).toContain(value)
  const terms = await main.locator('dt').allTextContents()
  for (const name of FACTS)
    expect(
      terms.some((term) => term.startsWith(name)),
      name,
    ).toBe(true)
  for (const extension of EXTENSIONS) await expect(main).toContainText(extension)
  await expect(link(name)).toHaveAttribute('href', /^\/dashboard\/users\//)
  await expect(link(deed.title)).toHaveAttribute('href', `/dashboard/documents/${deed.id}`)

  const help = 'La consulta en línea a la autoridad: si revocó el certificado, y cuándo.'
  await expect(main.getByText(help)).toBeHidden()
  await main.locator('summary', { hasText: 'Qué es OCSP' }).click()
  await expect(main.getByText(help)).toBeVisible()

  const download = page.waitForEvent('download')
  await link('Descargar certificado (.cer)').click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^\d{20}\.cer$/)
  expect(readFileSync(await saved.path()).equals(readFileSync(holder.cer))).toBe(true)
})

test('certificate: it is reached from its signature, found by its number, and its issuer is asked', async ({
  page,
  person,
  signedInAs,
  signedDeed,
  hasScripts,
}) => {
  const { main, link, field, button } = inMain(page)
  const deed = await signedDeed()
  const { firstName, lastName } = person('titular')
  const name = `${firstName} ${lastName}`.toUpperCase()
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await main.getByRole('link', { name: `Ver el certificado de ${name}` }).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(name)
  await button('Preguntar al emisor si está revocado').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Su emisor respondió: no está revocado.')
  await expect(main).toContainText('Su emisor no lo ha revocado; última respuesta:')

  await page.goto('/dashboard/certificates')
  await field('Buscar certificados').fill(name.toLowerCase())
  await button('Buscar').click()
  await expect(page).toHaveURL(/text=/)
  await expect(link(name)).toBeVisible()
  await link('Vencidos').click()
  await expect(page).toHaveURL(/standing=expired/)
  await expect(main).toContainText('Ningún certificado coincide.')
  await link('Ver todos los certificados').click()
  await expect(link(name)).toBeVisible()
})

test('certificate of another: a clerk reads no personal data and gets no file', async ({
  page,
  person,
  signedInAs,
  signedDeed,
}) => {
  const { main, link } = inMain(page)
  const deed = await signedDeed()
  const holder = person('titular')
  const name = `${holder.firstName} ${holder.lastName}`
  await signedInAs('CLERK')
  await page.goto('/dashboard/certificates')
  await link(name.toUpperCase()).click()
  await expect(link(deed.title)).toBeVisible()
  await expect(main.getByText('Reservado', { exact: true })).toHaveCount(2)
  await expect(main).not.toContainText(holder.email)
  await expect(link('Descargar certificado (.cer)')).toHaveCount(0)
  await expect(link(name)).toHaveCount(0)
  const { pathname } = new URL(page.url())
  expect((await page.request.get(`${pathname}/download`)).status()).toBe(403)
  expect((await page.request.get('/dashboard/certificates/no-es-un-id')).status()).toBe(404)
})
