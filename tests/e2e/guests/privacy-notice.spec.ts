import { uploadDeed } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'

const test = withOwnOffice()

test('privacy notice: an administrator edits it, and an external signer reads the new text', async ({
  page,
  browser,
  demo,
  person,
  signedInAs,
  hasScripts,
}) => {
  test.slow()
  const { field, button, link, main } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await link('Cambiar el aviso de privacidad').click()
  await expect(main).toContainText('Este es el texto del sistema')
  await expect(field('Aviso simplificado')).toHaveValue(/es responsable del tratamiento/)
  await field('Aviso simplificado').fill(' ')
  await button('Guardar aviso').click()
  await expect(main).toContainText('Escriba el aviso simplificado, hasta 5,000 caracteres.')
  await expect(field('Aviso integral')).toHaveValue(/# Sus derechos/)
  await field('Aviso simplificado').fill('La notaría usará sus datos solo para que firme.')
  await field('Aviso integral').fill('# Quién responde\n\nLa Notaría 12, en Coyoacán.')
  await button('Guardar aviso').click()
  await expect(messageOn(page, hasScripts)).toContainText('El aviso de privacidad se guardó.')
  await expect(main).toContainText('Versión 1')

  const deed = await uploadDeed(demo.origin, person('CLERK'))
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  await signedInAs('CLERK')
  await page.goto(asked.linkPage)
  await button('Crear enlace y mostrarlo').click()
  const address = await main.getByText(/\/sign#/).textContent()
  const guest = await anotherBrowser(browser, demo, hasScripts)
  await openLink(guest, address ?? '', hasScripts)
  await expect(inMain(guest).main).toContainText('La notaría usará sus datos solo para que firme.')
  await inMain(guest).link('Leer el aviso de privacidad completo').click()
  await expect(inMain(guest).main).toContainText('Quién responde')

  await signedInAs('administrador')
  await page.goto('/dashboard/settings/privacy')
  await button('Volver al texto del sistema').click()
  await expect(main).toContainText('Versión 2')
  await expect(field('Aviso simplificado')).toHaveValue(/es responsable del tratamiento/)
})

test('privacy notice: a text over the limit is returned in full with the error', async ({
  page,
  signedInAs,
}) => {
  const { main, field, button } = inMain(page)
  const long = '# Título\n\nUn párrafo del aviso integral, con su explicación.\n\n'.repeat(400)
  expect(long.length).toBeGreaterThan(20_000)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings/privacy')
  await field('Aviso integral').fill(long)
  await button('Guardar aviso').click()
  await expect(main).toContainText('Escriba el aviso integral, hasta 20,000 caracteres.')
  await expect(field('Aviso integral')).toHaveValue(long)
})
