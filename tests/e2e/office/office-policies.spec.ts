import { uploadDeed } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'

const test = withOwnOffice()

test('office policy: an administrator turns signing without scripts off and on', async ({
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
    await link('Cambiar la firma en el servidor').click()
    await field('Firma en el servidor').selectOption(decision)
    await button('Guardar').click()
    await expect(messageOn(page, hasScripts)).toHaveText('La política se guardó.')
    await expect(main).toContainText(words)
  }
  await decide('disabled', 'No permitida')
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign/without-scripts`)
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(button('Firmar documento')).toHaveCount(0)
  // The two do not go together: first the second factor, which in this office is optional.
  await signedInAs('administrador')
  await page.goto('/dashboard/settings/server-signing')
  await field('Firma en el servidor').selectOption('allowed')
  await button('Guardar').click()
  await expect(main).toContainText('una verificación en dos pasos que no se exige no van juntas')
  await expect(field('Firma en el servidor')).toHaveValue('allowed')
  await page.goto('/dashboard/settings/second-factor')
  await field('Cuándo se exige').selectOption('Se exige a los 30 días de activar la cuenta')
  await button('Guardar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('La política se guardó.')
  await decide('allowed', 'Permitida, solo en memoria')
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign/without-scripts`)
  await expect(button('Firmar documento')).toBeVisible()
})

test('office policy: an administrator sets the largest document and the length of sessions', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  const { main, link, field, button } = inMain(page)
  await signedInAs('administrador')
  for (const [what, label, choice, words] of [
    ['Cambiar el tamaño máximo', 'Tamaño máximo', '10 MB', '10 MB por documento'],
    ['Cambiar la sesión sin actividad', 'Cuándo termina', 'A los 15 minutos', 'a los 15 minutos'],
    ['Cambiar la sesión continua', 'Cuándo termina', 'A las 8 horas', 'a las 8 horas'],
  ] as const) {
    await page.goto('/dashboard/settings')
    await link(what).click()
    await field(label).selectOption(choice)
    await button('Guardar').click()
    await expect(messageOn(page, hasScripts)).toHaveText('La política se guardó.')
    await expect(main).toContainText(words)
  }
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents/new')
  await expect(main).toContainText('10 MB')
  const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(11 << 20, ' ')])
  await field('Título').fill('Un archivo grande')
  await field('Archivo PDF').setInputFiles(aFile('grande.pdf', large))
  await button('Subir').click()
  await expect(main).toContainText('10 MB')
  await expect(field('Título')).toHaveValue('Un archivo grande')
})

test('office policy: with a mandatory second factor, users without one must set it up', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  const { main, link, field, button } = inMain(page)
  await signedInAs('administrador')
  await page.goto('/dashboard/settings')
  await link('Cambiar la verificación en dos pasos').click()
  await field('Cuándo se exige').selectOption('Se exige a los 7 días de activar la cuenta')
  await button('Guardar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('La política se guardó.')
  await expect(main).toContainText('Se exige a los 7 días de activar la cuenta')
  await link('Cambiar la verificación en dos pasos').click()
  await field('Cuándo se exige').selectOption('Se exige desde el primer acceso')
  await button('Guardar').click()
  await expect(page).toHaveURL(/\/setup-mfa/)
  await expect(main).toContainText('Configurar verificación en dos pasos')
})
