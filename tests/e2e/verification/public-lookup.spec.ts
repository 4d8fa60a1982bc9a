import type { Page } from '@playwright/test'
import { downloadVersion, sha256Of } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { type Client, clientOf, signedInClient } from '#tests/e2e/support/http.ts'

const UNKNOWN = {
  id: '00000000-0000-4000-8000-000000000000',
  code: '9N6M-TKAD-9N6M-TKA8',
  sha256: '0'.repeat(64),
}

/** What differs between any two answers. */
const plain = (text: string, { id, code }: { id: string; code: string }) =>
  text
    .replaceAll(/nonce="[^"]+"|data-csrf="[^"]+"|name="csrf" value="[^"]+"|"csrf","[^"]+"/g, '')
    .replaceAll(id, 'ID')
    .replaceAll(code, 'CODE')

/** The answers of each public address, as bytes. */
async function publicAnswers(stranger: Client, named: typeof UNKNOWN) {
  const { id, code, sha256 } = named
  const paths = [
    `/verify/${id}`,
    `/verify/${id}.data`,
    `/verify/${id}/report.json`,
    `/verify/${id}/report.pdf`,
    `/verify/${id}/log.tlog-proof`,
    `/verify/document?code=${code}`,
    `/verify/document.data?code=${code}`,
  ]
  const asked = []
  for (const path of paths) asked.push(await stranger.get(path))
  asked.push(await stranger.post('/verify/document/registered', { sha256 }))
  return asked.map(({ status, headers, text }) => ({
    status,
    headers: Object.keys(headers).toSorted(),
    text: plain(text, named),
  }))
}

test('public look-up: a notary switches it off, and every public address answers as for an unknown document', async ({
  page,
  demo,
  person,
  signedDeed,
  signedInAs,
}) => {
  const deed = await signedDeed()
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const address = `/dashboard/documents/${deed.id}`
  const { text: shown } = await clerk.get(address)
  expect(shown).not.toContain('Apagar la consulta pública')
  const [code = 'no code'] = /(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}/.exec(shown) ?? []
  const named = { id: deed.id, code, sha256: sha256Of(await downloadVersion(clerk, deed, 2)) }

  const { main, button } = inMain(page)
  await signedInAs('titular')
  await page.goto(address)
  await expect(main).toContainText('Encendida: quien tenga el código')
  await button('Apagar la consulta pública').click()
  await expect(main).toContainText('Apagada: fuera de la notaría nadie lo encuentra')
  await expect(main).toContainText('Así lo decidió')
  // The sheet, which is signed, keeps the code.
  const fact = main.locator('dd', { hasText: code })
  await expect(fact).toHaveCount(0)

  const answers = await publicAnswers(clientOf(demo.origin), named)
  expect(answers).toEqual(await publicAnswers(clientOf(demo.origin), UNKNOWN))
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404, 200])

  await page.goto(`/verify/${deed.id}`)
  await expect(main.getByRole('status')).toHaveText('Documento íntegro y firmado.')
  await expect(main).toContainText('Apagada: fuera de la notaría')
  await expect(main).not.toContainText(code)

  await page.goto(address)
  await button('Encender la consulta pública').click()
  await expect(fact).toHaveCount(1)
  expect((await clientOf(demo.origin).get(`/verify/${deed.id}`)).status).toBe(200)
})

/** The picture of the QR code, and the address beside it. */
function addressOn(page: Page, address: string) {
  const { main, button } = inMain(page)
  const qr = main.getByRole('img', { name: 'Código QR de la dirección de verificación' })
  // Not the text of the sheet, which the reader shows too.
  const text = main.locator('dd', { hasText: address })
  return { qr, text, copy: button('Copiar dirección') }
}

test('document: its page shows the public address, its QR code, and copies the address', async ({
  page,
  demo,
  hasScripts,
  signedDeed,
  signedInAs,
}) => {
  const deed = await signedDeed()
  const address = `${demo.origin}/verify/${deed.id}`
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}`)
  const { main, button } = inMain(page)
  const shown = addressOn(page, address)
  await expect(shown.qr).toBeVisible()
  await expect(shown.text).toBeVisible()
  await expect(shown.copy).toHaveCount(hasScripts ? 1 : 0)
  if (hasScripts) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await shown.copy.click()
    await expect(main.getByText('La dirección se copió.')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  }
  await page.emulateMedia({ media: 'print' })
  await expect(shown.qr).toBeVisible()
  await expect(shown.text).toBeVisible()
  await expect(shown.copy).toHaveCount(0)
  await page.emulateMedia({ media: null })
  await page.setViewportSize({ width: 390, height: 844 })
  const box = await shown.qr.boundingBox()
  expect(box!.x + box!.width).toBeLessThanOrEqual(390)

  await button('Apagar la consulta pública').click()
  await expect(main).toContainText('Apagada: fuera de la notaría nadie lo encuentra')
  await expect(shown.qr).toHaveCount(0)
  await expect(shown.text).toHaveCount(0)
})

test('draft: its page says that the public does not find it yet', async ({
  page,
  demo,
  uploadedDeed,
  signedInAs,
}) => {
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await expect(inMain(page).main).toContainText('Todavía no se encuentra: es un borrador.')
  await expect(addressOn(page, `${demo.origin}/verify/${deed.id}`).qr).toHaveCount(0)
})
