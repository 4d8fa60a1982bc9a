import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { changedLater } from '#tests/e2e/support/deeds.ts'
import { expect, fillSigning, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { agree, anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'

/** A machine that others use, too; the job that judges runs every few seconds. */
const SLOW = { timeout: 30_000 }

const changedFile = async () => changedLater(await handSigned({ seal: sealOf(await testEfirma()) }))

/** No two are the same: the office has each file once. */
const withScript = () =>
  pdfWithTable(
    bodiesWithPages(
      2,
      `/Reference(${randomUUID()})/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>`,
    ),
  )

const SEEN = 'Vi lo que se encontró en este archivo y quiero firmarlo así'

/** Reloads as a person does until the job has judged the file. */
async function untilJudged(page: Page, address: string) {
  await expect(async () => {
    await page.goto(address)
    await expect(inMain(page).main).not.toContainText('Se está verificando', { timeout: 1000 })
  }).toPass(SLOW)
}

test('signed file that was changed: its verdict is on the document and must be acknowledged before signing', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  test.slow()
  const deed = await uploadedDeed(await changedFile())
  const notary = await signedInAs('titular')
  const { main, link, button, field } = inMain(page)
  await untilJudged(page, `/dashboard/documents/${deed.id}`)
  await expect(main).toContainText('Las firmas con que llegó no son válidas')
  await link('Ver el informe de verificación completo').click()
  await expect(main).toContainText('Informe de verificación del archivo como llegó')
  await expect(main).toContainText('No válido')
  await link('Volver al documento').click()

  await link('Firmar').click()
  await expect(main).toContainText('Las firmas con que llegó no son válidas')
  await expect(field('Contraseña de la clave privada')).toHaveCount(0)
  await button('Continuar a la firma').click()
  await expect(main).toContainText('Marque la casilla si es así')
  await page.getByRole('checkbox', { name: SEEN }).check()
  await button('Continuar a la firma').click()
  await fillSigning(page, notary)
  await expect(button('Firmar documento')).toBeEnabled()
})

test('file with a script: a colleague acknowledges it from the batch, then signs it', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  test.slow()
  const deed = await uploadedDeed(withScript())
  const { firstName, lastName } = person('titular')
  const asked = [{ colleague: `${firstName} ${lastName}`, step: 1 }]
  const session = await openSession(demo.origin, person('CLERK'), [deed], asked)
  const notary = await signedInAs('titular')
  const { main, link, button } = inMain(page)
  const batch = `/dashboard/signing/batch?session=${session}`
  await untilJudged(page, `/dashboard/documents/${deed.id}`)
  await page.goto(batch)
  await expect(main).toContainText('Antes de firmar estos, lea lo que se encontró en ellos')
  await link('Leer y confirmar').click()
  await expect(main).toContainText('JavaScript')
  await expect(main).toContainText('Acción al abrir o al usar el documento')
  await page.getByRole('checkbox', { name: SEEN }).check()
  await button('Continuar a la firma').click()
  await expect(page).toHaveURL(batch)
  await expect(main).not.toContainText('Antes de firmar estos')
  await fillSigning(page, notary)
  await button('Firmar los marcados').click()
  await expect(main).toContainText(hasScripts ? 'Se firmó 1 de 1' : 'Se firmó 1 documento.', SLOW)
})

test('file with a script: an external signer acknowledges it, then signs it', async ({
  browser,
  demo,
  person,
  hasScripts,
  uploadedDeed,
}) => {
  test.slow()
  const deed = await uploadedDeed(withScript())
  const signer = person('suplente')
  const asked = await inviteGuest(demo, deed, person('CLERK'), signer)
  const guest = await anotherBrowser(browser, demo, hasScripts)
  const { main, button } = inMain(guest)
  await openLink(guest, `${demo.origin}/sign#${await asked.newCode()}`, hasScripts)
  await agree(guest)
  await untilJudged(guest, `/sign/documents/${deed.id}`)
  await expect(main).toContainText('JavaScript')
  await guest.getByRole('checkbox', { name: SEEN }).check()
  await button('Continuar a la firma').click()
  await fillSigning(guest, asked.signer)
  await button('Firmar documento').click()
  await expect(main).toContainText('Descargar', SLOW)
})
