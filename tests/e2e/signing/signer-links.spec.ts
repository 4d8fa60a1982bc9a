import type { Page } from '@playwright/test'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

const shownOn = (page: Page) =>
  inMain(page)
    .main.getByText(/\/sign#/)
    .filter({ visible: true })

test('signing link: stays on the screen of the user who made it until it is opened', async ({
  page,
  browser,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  const { main, button, link } = inMain(page)
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'), [
    { name: 'Marta Ibarra Ríos', rfc: 'IARM700404QX2' },
  ])
  await signedInAs('CLERK')
  await page.goto(asked.linkPage)
  await button('Crear enlace y mostrarlo').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El enlace quedó listo.')
  const address = (await shownOn(page).textContent()) ?? ''
  await page.reload()
  await expect(shownOn(page)).toHaveText(address)

  // The other party of the same deed.
  await main.getByRole('link', { name: /^Compraventa/ }).click()
  await main.getByRole('link', { name: 'Su enlace para firmar' }).last().click()
  await expect(main).toContainText('Enlace de Marta Ibarra Ríos')
  await expect(shownOn(page)).toHaveCount(0)
  await button('Crear enlace y mostrarlo').click()
  await expect(shownOn(page)).not.toHaveText(address)
  await page.goto(asked.linkPage)
  await expect(shownOn(page)).toHaveText(address)

  await link('Crear otro enlace').click()
  await expect(main).toContainText('El enlace que se muestra arriba deja de servir')
  await expect(shownOn(page)).toHaveText(address)
  await link('No, dejar el que tiene').click()
  await expect(shownOn(page)).toHaveText(address)

  const guest = await anotherBrowser(browser, demo, hasScripts)
  await openLink(guest, address, hasScripts)
  await expect(guest).toHaveURL(/\/sign\/documents/)
  await page.reload()
  await expect(main).toContainText('Abierto en un navegador')
  await expect(shownOn(page)).toHaveCount(0)

  await link('Crear otro enlace').click()
  await expect(main).toContainText('Quien firma ahí pierde el acceso')
  await button('Sí, crear otro enlace').click()
  await expect(messageOn(page, hasScripts)).toContainText('El anterior dejó de servir.')
  await expect(shownOn(page)).not.toHaveText(address)
  await guest.goto('/sign/documents')
  await expect(guest).toHaveURL(/\/sign(?:#|$)/)
  await guest.context().close()
})

test('signing link: only the session that made it shows it, and an outdated page ends none', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  const { main, button } = inMain(page)
  const asked = await inviteGuest(demo, await uploadedDeed(), person('CLERK'), person('suplente'))
  await signedInAs('CLERK')
  await page.goto(asked.linkPage)
  await expect(button('Crear enlace y mostrarlo')).toBeVisible()
  await asked.newCode()
  await button('Crear enlace y mostrarlo').click()
  await expect(messageOn(page, hasScripts)).toContainText('No se creó otro ni se retiró ninguno')
  await expect(main).toContainText('Este enlace sirve, pero ya no se puede mostrar')
  await expect(shownOn(page)).toHaveCount(0)

  await inMain(page).link('Crear otro enlace').click()
  await button('Sí, crear otro enlace').click()
  await expect(shownOn(page)).toHaveCount(1)
  const kept = (await page.context().cookies()).filter(({ name }) => name === '__Host-signing-link')
  expect(kept).toMatchObject([{ httpOnly: true, secure: true, sameSite: 'Lax' }])
  await signedInAs('CLERK')
  await page.context().addCookies(kept)
  await page.goto(asked.linkPage)
  await expect(main).toContainText('Este enlace sirve, pero ya no se puede mostrar')
  await expect(shownOn(page)).toHaveCount(0)
})

test('signing link: printed, it is a sheet with instructions and nothing of the office', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, button, text } = inMain(page)
  const asked = await inviteGuest(demo, await uploadedDeed(), person('CLERK'), person('suplente'))
  await signedInAs('CLERK')
  await page.goto(asked.linkPage)
  await button('Crear enlace y mostrarlo').click()
  await expect(main.getByRole('img', { name: /^Código QR/ })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(main.getByRole('img', { name: /^Código QR/ })).toBeVisible()
  await expect(shownOn(page)).toHaveCount(1)
  await expect(main.getByText('Lea el documento y fírmelo.')).toBeVisible()
  await expect(text('Estado del enlace')).toHaveCount(0)
  await expect(main.getByRole('button').filter({ visible: true })).toHaveCount(0)
})

test('signing link: its page says whether the person gets it by mail', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, button, link } = inMain(page)
  const signer = { name: 'Marta Ibarra Ríos', rfc: 'IARM700404QX2', email: 'marta@ejemplo.example' }
  const id = await openSession(demo.origin, person('CLERK'), [await uploadedDeed()], [signer])
  await signedInAs('CLERK')
  await page.goto(`/dashboard/signing/${id}`)
  await link('Su enlace para firmar').click()
  await expect(main).toContainText('Está en espera de envío a marta@ejemplo.example desde el')
  await link('Crear otro enlace').click()
  await button('Sí, crear otro enlace').click()
  await expect(main).toContainText('No se envió por correo: entréguele usted el enlace')
})
