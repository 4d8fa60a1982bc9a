import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, fillSigning, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { agree, anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'
import { judgePdf } from '#tests/e2e/support/judged-pdf.ts'

/** The document is prepared, signed and verified on a machine that others use, too. */
const SLOW = { timeout: 30_000 }

/** The address that the screen of the office shows for this signer. */
async function linkOn(page: Page, linkPage: string): Promise<string> {
  await page.goto(linkPage)
  await inMain(page).button('Crear enlace y mostrarlo').click()
  await expect(page.getByRole('img', { name: /^Código QR/ })).toBeVisible()
  const address = await inMain(page)
    .main.getByText(/\/sign#/)
    .textContent()
  if (!address) throw new Error('no link on the screen')
  return address
}

test('external signer: opens the link, consents, signs and downloads a copy', async ({
  page,
  browser,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  test.slow()
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  await signedInAs('CLERK')
  const address = await linkOn(page, asked.linkPage)
  const guest = await anotherBrowser(browser, demo, hasScripts)
  const { main, button, link, text, field } = inMain(guest)
  await openLink(guest, address, hasScripts)
  await expect(guest).toHaveURL(/\/sign\/documents(?:#contenido)?$/)
  await expect(main).toContainText(asked.rfc)
  await expect(main).toContainText('Aviso de privacidad')
  await expect(main).toContainText('Traiga una identificación.')
  await expect(link('Rechazar la firma')).toHaveCount(0)
  await button('Acepto y continúo').click()
  await expect(main).toContainText('Marque la casilla si está de acuerdo con el aviso.')
  await link('Leer el aviso de privacidad completo').click()
  await expect(main).toContainText('Sus derechos')
  await link('Volver').click()

  // The document before the consent, which the page of the document takes too.
  await expect(main).toContainText(deed.title)
  await link('Leer').click()
  await expect(main.getByRole('img', { name: 'Página 1 de 3' })).toBeVisible()
  await expect(field('Contraseña de la clave privada')).toHaveCount(0)
  await button('Acepto y continúo').click()
  await expect(main).toContainText('Marque la casilla si está de acuerdo con el aviso.')
  await agree(guest)
  await expect(guest).toHaveURL(new RegExp(`/sign/documents/${deed.id}`))
  const other = person('titular')
  await fillSigning(guest, { ...other, keyPassword: other.keyPassword })
  await button('Firmar documento').click()
  await expect(main).toContainText('pertenece a otra persona', SLOW)
  await fillSigning(guest, asked.signer)
  await button('Firmar documento').click()
  await expect(guest).toHaveURL(`/sign/documents/${deed.id}`, SLOW)
  await expect(text('El documento tiene todas sus firmas.')).toBeVisible(SLOW)

  const download = guest.waitForEvent('download')
  await link('Descargar mi copia').click()
  const file = readFileSync(await (await download).path())
  const { signatures, isSound } = judgePdf(file, demoRoot())
  expect(signatures).toMatchObject([{ isValid: true }])
  expect(isSound).toBe(true)
  await link('Comprobar el documento en la página pública').click()
  await expect(guest).toHaveURL(`/verify/${deed.id}`)

  // The link fails in another browser and continues in this one.
  await openLink(guest, address, hasScripts)
  await expect(guest).toHaveURL(/\/sign\/documents/)
  const third = await anotherBrowser(browser, demo, hasScripts)
  await openLink(third, address, hasScripts)
  await expect(inMain(third).main).toContainText('Pida un enlace nuevo a la notaría.')
  await page.goto(asked.linkPage)
  await expect(inMain(page).main).toContainText('Aceptó el aviso de privacidad')
  await expect(inMain(page).main.getByText(/\/sign#/)).toHaveCount(0)
  await guest.context().close()
  await third.context().close()
})

const demoRoot = () => `${process.env.DEMO_DATA}/demo/authority/root.cer`

test('external signer: a phone shows the whole code of the link', async ({ page, hasScripts }) => {
  const code = 'K7VQ0-TW6JV-VKA2V-EW8PD-518YXC'
  const { field } = inMain(page)
  await page.goto(`/sign#${code}`)
  if (!hasScripts) await field('Código del enlace').fill(code)
  await expect(field('Código del enlace')).toHaveValue(code)
  await field('Código del enlace').blur()
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 })
    const hidden = await field('Código del enlace').evaluate(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    )
    expect(hidden, `${width} px`).toBe(0)
  }
})
