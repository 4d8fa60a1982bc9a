import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type DemoDevice, mintDevice, mintMaker, pemFile } from '#server/demo/yubikey-minting.ts'
import { parseInstant } from '#server/domain/time.ts'
import { aFile, expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

const KEYS = '/dashboard/certificates/keys'

/** No other test has it. */
const newSerial = () => randomInt(1e8, 1e9)

async function aMadeDevice() {
  const maker = await mintMaker(`Raíz ${newSerial()}`, parseInstant('2024-01-01T00:00:00Z'))
  const serial = newSerial()
  const device = await mintDevice(maker, { serial, firmware: [5, 7, 1], form: 3 })
  return { maker, device, serial: String(serial) }
}

/** The statement about slot 9c with the certificate of slot f9, in one file. */
const attested = (device: DemoDevice) =>
  aFile('atestacion.pem', pemFile(device.attest({ pin: 3, touch: 2 }), device.intermediate))

async function register(page: Page, serial: string): Promise<string> {
  await page.goto(`${KEYS}/new`)
  const { field, button } = inMain(page)
  await field('Número de serie').fill(serial)
  await field('Modelo').fill('YubiKey 5C NFC')
  await button('Registrar YubiKey').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`YubiKey 5C NFC ${serial}`)
  return page.url()
}

async function handOver(page: Page, name: string) {
  await inMain(page).field('A quién se entrega').selectOption({ label: name })
  await inMain(page).button('Entregar llave').click()
  await expect(page.getByRole('heading', { name: 'Acuse de entrega de llave' })).toBeVisible()
}

test('YubiKey: registered with its attestation, after what was typed and what is attested agree', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('titular')
  const { device, serial, maker } = await aMadeDevice()
  await page.goto(`${KEYS}/new`)
  const { field, button, main } = inMain(page)
  await field('Número de serie').fill('5')
  await field('Modelo').fill('YubiKey 5C NFC')
  await field('Atestación PIV (opcional)').setInputFiles(attested(device))
  await button('Registrar YubiKey').click()
  await expect(main).toContainText(`La atestación dice que el número de serie es “${serial}”`)
  await expect(field('Modelo')).toHaveValue('YubiKey 5C NFC')
  await field('Número de serie').fill('')
  await field('Atestación PIV (opcional)').setInputFiles(attested(device))
  await button('Registrar YubiKey').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`YubiKey 5C NFC ${serial}`)
  await expect(main).toContainText('No comprobada')
  await expect(main).toContainText('Pide el NIP cada vez')
  await expect(main).toContainText('Pide tocar la llave cada vez')
  const address = page.url()

  await page.goto(`${KEYS}/makers/new`)
  await field('Certificados del fabricante').setInputFiles(aFile('raiz.der', maker.der))
  await field('De dónde viene y con qué se comparó').fill('corto')
  await button('Agregar').click()
  await expect(main).toContainText('Escriba de dónde viene y con qué se comparó')
  await expect(field('De dónde viene y con qué se comparó')).toHaveValue('corto')
  await field('Certificados del fabricante').setInputFiles(aFile('raiz.der', maker.der))
  await field('De dónde viene y con qué se comparó').fill('La hizo esta prueba, no vale.')
  await button('Agregar').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Raíces del fabricante')
  await page.goto(address)
  await expect(main).toContainText('La clave se creó en el dispositivo')
})

test('YubiKey: handed over with a receipt, reported lost by its holder, found again', async ({
  page,
  signedInAs,
  person,
  hasScripts,
}) => {
  await signedInAs('titular')
  const serial = String(newSerial())
  const address = await register(page, serial)
  const clerk = person('CLERK')
  const name = `${clerk.firstName} ${clerk.lastName}`
  await handOver(page, name)
  const { main, button } = inMain(page)
  await expect(main).toContainText(serial)
  await expect(main).toContainText(name)
  await expect(main).toContainText('Quien recibe se obliga a cuidarla')

  await signedInAs('CLERK')
  await page.goto(KEYS)
  await expect(main.getByRole('link', { name: serial })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Registrar YubiKey' })).toHaveCount(0)
  await page.goto(address)
  await expect(main).toContainText('(usted)')
  await main.getByText('Reportar perdida', { exact: true }).first().click()
  await expect(main).toContainText('no abre ninguna cuenta, y nada más cambia')
  await button('Reportar perdida').click()
  await expect(messageOn(page, hasScripts)).toContainText('reportada como perdida')
  await expect(main).toContainText('Perdida')

  await signedInAs('titular')
  await page.goto('/dashboard/alerts')
  await expect(main).toContainText(`reportó perdida la llave YubiKey 5C NFC ${serial}`)
  await page.goto(address)
  await main.getByText('Apareció', { exact: true }).click()
  await button('Recibir de vuelta').click()
  await expect(main).toContainText('En resguardo')
})

test('certificate in a YubiKey: linked by its holder, and said that no attestation is of its key', async ({
  page,
  signedInAs,
  person,
  hasScripts,
}) => {
  const notary = await signedInAs('titular')
  const address = await register(page, String(newSerial()))
  await handOver(page, `${notary.firstName} ${notary.lastName}`)
  await page.goto(address)
  const { main, button } = inMain(page)
  await button('Ligar certificado').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El certificado quedó ligado con la llave.')
  await expect(main).toContainText('pudo importarse, y entonces puede haber copias')
  await signedInAs('CLERK')
  expect((await page.request.get(address)).status()).toBe(403)
  await signedInAs('suplente')
  await page.goto(address)
  await expect(main).toContainText(`${person('titular').firstName}`)
  await expect(button('Desligar certificado')).toHaveCount(0)
})

test('YubiKey handed over in another window meanwhile: 409, and the choice stays', async ({
  page,
  context,
  signedInAs,
  person,
}) => {
  await signedInAs('titular')
  const address = await register(page, String(newSerial()))
  const other = await context.newPage()
  await other.goto(address)
  const clerk = person('CLERK')
  await handOver(other, `${clerk.firstName} ${clerk.lastName}`)
  await other.close()
  const lawyer = person('LAWYER')
  const { field, button, main } = inMain(page)
  await field('A quién se entrega').selectOption({
    label: `${lawyer.firstName} ${lawyer.lastName}`,
  })
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await button('Entregar llave').click()
  expect((await answered).status()).toBe(409)
  await expect(main).toContainText('Otra persona cambió esta YubiKey')
})

test('YubiKey: retired with a reason, and found by its state', async ({ page, signedInAs }) => {
  await signedInAs('titular')
  const serial = String(newSerial())
  await register(page, serial)
  const { main, field, button } = inMain(page)
  await main.getByText('Dar de baja', { exact: true }).first().click()
  await field('Motivo').fill('Rota')
  await button('Dar de baja').click()
  await expect(main).toContainText('Escriba el motivo, de 10 a 300 caracteres')
  await expect(field('Motivo')).toHaveValue('Rota')
  await field('Motivo').fill('Se rompió el conector.')
  await button('Dar de baja').click()
  await expect(main).toContainText('Se dio de baja')
  await expect(main).toContainText('Se rompió el conector.')
  await expect(button('Entregar llave')).toHaveCount(0)
  await page.goto(`${KEYS}?state=retired&text=${serial}`)
  await expect(main.getByRole('link', { name: serial })).toBeVisible()
  await page.goto(`${KEYS}?state=assigned&text=${serial}`)
  await expect(main).toContainText('Ninguna YubiKey coincide.')
})

test('YubiKeys: the second tab of Certificados', async ({ page, signedInAs }) => {
  await signedInAs('titular')
  await page.goto('/dashboard/certificates')
  await page.getByRole('navigation', { name: 'Apartados' }).getByText('YubiKeys').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('YubiKeys')
  await expect(inMain(page).main).toContainText('18402671')
})
