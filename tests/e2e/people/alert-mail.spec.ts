import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'

const test = withOwnOffice()

test('profile: a user chooses a daily digest of alerts, and finds the choice again', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { main, field, button, link } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/dashboard/alerts')
  await link('Recibirlas por correo').click()
  await expect(page).toHaveURL('/dashboard/profile/alerts')
  await expect(field('Las demás alertas')).toHaveValue('each')
  await field('Las demás alertas').selectOption('Un resumen al día')
  await button('Guardar').click()
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(messageOn(page, hasScripts)).toHaveText(
    'Se guardó cómo recibirá las alertas por correo.',
  )
  await expect(main).toContainText('Un resumen al día.')
  await link('Elegir cómo recibirlas').click()
  await expect(field('Las demás alertas')).toHaveValue('daily')
})
