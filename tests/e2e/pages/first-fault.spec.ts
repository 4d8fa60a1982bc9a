import { openPage } from '#tests/e2e/support/client-state.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('refused form: focus is on the first invalid field', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  const { main, field, button } = inMain(page)
  const goTo = (path: string) => (hasScripts ? openPage(page, path) : page.goto(path))
  await signedInAs('administrador')
  await goTo('/dashboard/users/new')
  await field('Nombres').fill('Begoña')
  await button('Invitar').click()
  await expect(main).toContainText('apellidos')
  await expect(field('Apellidos')).toBeFocused()

  await goTo('/dashboard/settings/privacy')
  await field('Aviso simplificado').fill('El de esta notaría.')
  await field('Aviso integral').fill(' ')
  await button('Guardar aviso').click()
  await expect(main).toContainText('Escriba el aviso integral')
  await expect(field('Aviso integral')).toBeFocused()

  await signedInAs('CLERK')
  await goTo('/dashboard/documents/new')
  await field('Título').fill('Poder')
  await field('Archivo PDF').setInputFiles(aFile('nota.pdf', 'esto no es un PDF'))
  await button('Subir').click()
  await expect(field('Título')).toHaveValue('Poder')
  await expect(field('Archivo PDF')).toBeFocused()
})
