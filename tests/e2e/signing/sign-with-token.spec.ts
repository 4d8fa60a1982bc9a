import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { uploadDeed } from '#tests/e2e/support/deeds.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { efirmaOf } from '#tests/e2e/support/waiting-for-agent.ts'
import { makeSoftToken, softHsmModule, TEST_PIN } from '#tests/support/keys/soft-tokens.ts'
import {
  type DemoServer,
  type DemoUser,
  startDemoServer,
} from '#tests/support/processes/demo-server.ts'

/*
 * A token that is plugged into the server, with the e.firma of the notary of the demo in it.
 */

let server: DemoServer
let home: string
let notary: DemoUser
test.beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rubrica-token-'))
  mkdirSync(path.join(home, 'tokens'))
  const configuration = path.join(home, 'softhsm2.conf')
  server = await startDemoServer({
    PKCS11_MODULE: softHsmModule(),
    SOFTHSM2_CONF: configuration,
  })
  const found = server.demo.users.find(({ roles }) => roles[0] === 'NOTARY')
  if (!found) throw new Error('a demo without a notary')
  notary = found
  expect(makeSoftToken(home, { objects: [{ efirma: efirmaOf(notary) }] })).toMatchObject({
    configuration,
  })
})
test.afterAll(async () => {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})

/** Opens the page on which the signed-in notary signs a new deed with the token. */
async function openTokenPage(page: Page): Promise<string> {
  const { origin } = server.demo
  const deed = await uploadDeed(origin, notary)
  const client = await signedInClient(origin, notary)
  await page.context().addCookies(
    [...client.cookies].map(([name, value]) => ({
      name,
      value,
      domain: 'localhost',
      path: '/',
      secure: name.startsWith('__Host-'),
    })),
  )
  await page.goto(`${origin}/dashboard/documents/${deed.id}/sign`)
  await page.getByRole('link', { name: 'Firmar con el token conectado al servidor' }).click()
  await expect(page).toHaveURL(/\/sign\/token$/)
  return deed.id
}

test('server token: the notary signs with the token and its PIN', async ({ page }) => {
  const id = await openTokenPage(page)
  const field = page.getByLabel('NIP del token')
  const sign = page.getByRole('button', { name: 'Firmar documento' })
  await sign.click()
  await expect(page.getByText('Escriba el NIP del token.')).toBeVisible()
  await field.fill('111222')
  await sign.click()
  await expect(page.getByText(/El NIP no es correcto/)).toBeVisible()
  await expect(field).toHaveValue('')
  await field.fill(TEST_PIN)
  await sign.click()
  await expect(page).toHaveURL(new RegExp(`/dashboard/documents/${id}$`))
  await expect(page.getByText('El documento quedó firmado.').first()).toBeVisible()
})

test('server token: after two wrong PINs no further one is tried, and the page says why', async ({
  page,
}) => {
  await openTokenPage(page)
  const field = page.getByLabel('NIP del token')
  const sign = page.getByRole('button', { name: 'Firmar documento' })
  for (const [pin, said] of [
    ['111222', /El NIP no es correcto/],
    ['222333', /El NIP no es correcto/],
    [TEST_PIN, /Ya hubo dos NIP incorrectos en las últimas 24 horas/],
  ] as const) {
    await field.fill(pin)
    await Promise.all([page.waitForResponse(/\/sign\/token/), sign.click()])
    await expect(page.getByText(said)).toBeVisible()
    await expect(field).toHaveValue('')
  }
})
