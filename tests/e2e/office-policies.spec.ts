import { uploadDeed } from './support/deeds.ts'
import { withOwnOffice } from './support/own-office.ts'
import { expect, inMain, newsOn } from './support/story.ts'

const test = withOwnOffice()

test('an administrator switches signing without scripts off, and on again', async ({
  page,
  demo,
  person,
  hasScripts,
  signedInAs,
}) => {
  const { main, link, field, button } = inMain(page)
  const deed = await uploadDeed(demo.origin, person('CLERK'))
  const decide = async (decision: 'allowed' | 'disabled', words: string) => {
    await signedInAs('administrador')
    await page.goto('/dashboard/settings')
    await link('Cambiar la firma sin scripts').click()
    await field('Firma sin scripts').selectOption(decision)
    await button('Guardar').click()
    await expect(newsOn(page, hasScripts)).toHaveText('La política se guardó.')
    await expect(main).toContainText(words)
  }
  await decide('disabled', 'No permitida')
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign/without-scripts`)
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(button('Firmar documento')).toHaveCount(0)
  await decide('allowed', 'Permitida: la e.firma')
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign/without-scripts`)
  await expect(button('Firmar documento')).toBeVisible()
})

test('an administrator makes the second step compulsory, and whoever has none sets it up', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  const { main, link, field, button } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await expect(main).toContainText('No se exige')
  await link('Cambiar la verificación en dos pasos').click()
  await field('Cuándo se exige').selectOption('Se exige a los 7 días de activar la cuenta')
  await button('Guardar').click()
  await expect(newsOn(page, hasScripts)).toHaveText('La política se guardó.')
  await expect(main).toContainText('Se exige a los 7 días de activar la cuenta')
  await link('Cambiar la verificación en dos pasos').click()
  await field('Cuándo se exige').selectOption('Se exige desde el primer acceso')
  await button('Guardar').click()
  await expect(page).toHaveURL(/\/setup-mfa/)
  await expect(main).toContainText('Configurar verificación en dos pasos')
})
