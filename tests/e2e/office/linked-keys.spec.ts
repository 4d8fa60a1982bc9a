import { randomInt } from 'node:crypto'
import { expect, inMain } from '#tests/e2e/support/fixtures.ts'
import { insertKey, test } from '#tests/e2e/support/newcomers.ts'

test('YubiKey: the security keys of its holder are linked with it, and end when it is reported lost', async ({
  page,
  signedInAs,
  newcomer,
  rows,
}) => {
  insertKey(rows, newcomer)
  await signedInAs('titular')
  const { main, field, button } = inMain(page)
  await page.goto('/dashboard/certificates/keys/new')
  await field('Número de serie').fill(String(randomInt(1e8, 1e9)))
  await field('Modelo').fill('YubiKey 5C NFC')
  await button('Registrar YubiKey').click()
  await expect(main.getByRole('heading', { level: 1 })).toContainText('YubiKey 5C NFC')
  const address = page.url()
  await expect(main).not.toContainText('Llaves de seguridad ligadas')
  await field('A quién se entrega').selectOption(newcomer.id)
  await button('Entregar llave').click()
  await expect(page.getByRole('heading', { name: 'Acuse de entrega de llave' })).toBeVisible()

  await page.goto(address)
  await expect(main).toContainText('Ninguna está ligada.')
  await button('Ligar').click()
  await expect(button('Desligar')).toHaveCount(1)
  await expect(main).not.toContainText('Ninguna está ligada.')
  await expect(button('Ligar')).toHaveCount(0)
  await button('Desligar').click()
  await expect(main).toContainText('Ninguna está ligada.')
  await button('Ligar').click()
  await expect(button('Desligar')).toHaveCount(1)

  await main.getByText('Reportar perdida', { exact: true }).first().click()
  await button('Reportar perdida').click()
  await expect(main).toContainText('Perdida')
  await expect(main).not.toContainText('Llaves de seguridad ligadas')
  const keys = rows.all<{ state: string }>(
    'select state from webauthn_credentials where user_id = ?',
    newcomer.id,
  )
  expect(keys.map(({ state }) => state)).not.toContain('active')
})
