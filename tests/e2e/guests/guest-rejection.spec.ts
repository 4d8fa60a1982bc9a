import { randomUUID } from 'node:crypto'
import { expect, fillSigning, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { agree, anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'

const REASON = 'Mi nombre está mal escrito'
const SLOW = { timeout: 30_000 }

test('external signer: rejects with a code of the mail, and the link ends', async ({
  page,
  browser,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  test.slow()
  const mailTo = `comprador-${randomUUID().slice(0, 8)}@correo.example`
  const signer = { ...person('suplente'), mailTo }
  const asked = await inviteGuest(demo, await uploadedDeed(), person('CLERK'), signer)
  const guest = await anotherBrowser(browser, demo, hasScripts)
  const { main, button, link, field } = inMain(guest)
  const linkAddress = `${demo.origin}/sign#${await asked.newCode()}`
  await openLink(guest, linkAddress, hasScripts)
  await agree(guest)
  await link('Rechazar la firma').click()
  // The address is the signer's to know: a person who only has the link does not learn it.
  await expect(main).toContainText('c•••@correo.example')
  await expect(main).not.toContainText(mailTo)
  await expect(button('Rechazar la firma')).toHaveCount(0)
  await button('Recibir un código por correo').click()
  await expect(main).toContainText('Escriba el motivo')
  await field('Motivo').fill(REASON)
  await button('Recibir un código por correo').click()
  await expect(main).toContainText('Le enviamos un código')
  await expect(field('Motivo')).toHaveValue(REASON)

  await field('Código del correo').fill('1234')
  await button('Rechazar la firma').click()
  await expect(main).toContainText('Escriba los diez caracteres del código')
  await field('Código del correo').fill('00000-00000')
  await button('Rechazar la firma').click()
  await expect(main).toContainText('El código no es el más reciente')
  await field('Código del correo').fill((await asked.mailedCode()).toLowerCase())
  await button('Rechazar la firma').click()
  await expect(guest).toHaveURL(/\/sign(?:#|$)/)
  await expect(guest.getByRole('alert')).toContainText('Su rechazo quedó registrado')
  await guest.goto('/sign/documents')
  await expect(guest).toHaveURL(/\/sign(?:#|$)/)
  for (const opened of ['/sign', linkAddress]) {
    await guest.goto(opened)
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Usted rechazó firmar')
    await expect(main).toContainText(REASON)
    await expect(main).toContainText(/Rechazada el\d{1,2} \S{3} \d{4}, \d{2}:\d{2}/)
    await expect(main).toContainText('La sesión terminó para todos sus firmantes')
  }
  await openLink(guest, linkAddress, hasScripts)
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Usted rechazó firmar')
  await expect(guest.getByRole('alert')).toHaveCount(0)
  const other = await anotherBrowser(browser, demo, hasScripts)
  await openLink(other, linkAddress, hasScripts)
  await expect(other.getByRole('alert')).toContainText('ya se abrió')
  await expect(inMain(other).main).not.toContainText(REASON)
  await other.context().close()
  await guest.context().close()

  await signedInAs('CLERK')
  await page.goto(asked.linkPage)
  await expect(inMain(page).main).toContainText('Se retiró')
  await expect(inMain(page).button('Crear enlace y mostrarlo')).toHaveCount(0)
  await page.goto(`/dashboard/signing/${asked.sessionId}`)
  await expect(inMain(page).main).toContainText(REASON)
  await expect(inMain(page).main).toContainText(
    'Comprobó su identidad con un código enviado a su correo.',
  )
})

test('external signer: rejects with their e.firma, not with that of another person', async ({
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
  const guest = await anotherBrowser(browser, demo, hasScripts)
  const { main, button, link, field } = inMain(guest)
  const sent: string[] = []
  guest.on('request', (request) => sent.push(request.postData() ?? ''))
  await openLink(guest, `${demo.origin}/sign#${await asked.newCode()}`, hasScripts)
  await agree(guest)
  await link('Rechazar la firma').click()
  await expect(main).toContainText('La notaría no tiene su correo electrónico')
  await expect(button('Recibir un código por correo')).toHaveCount(0)
  await field('Motivo').fill(REASON)
  await button('Seguir con mi e.firma').click()
  await expect(main).toContainText(REASON)
  await fillSigning(guest, person('titular'))
  await button('Rechazar la firma').click()
  await expect(main).toContainText('pertenece a otra persona', SLOW)
  await fillSigning(guest, asked.signer)
  await button('Rechazar la firma').click()
  await expect(guest).toHaveURL(/\/sign(?:#|$)/, SLOW)
  await expect(guest.getByRole('alert')).toContainText('Su rechazo quedó registrado')
  if (hasScripts) expect(sent.join()).not.toContain(asked.signer.keyPassword)
  await guest.context().close()

  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await expect(inMain(page).main).toContainText('comprobó su identidad con su e.firma')
})
