import { execFileSync } from 'node:child_process'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

test('list: chosen documents are downloaded together, or become a signing session', async ({
  page,
  hasScripts,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button } = inMain(page)
  const [first, second] = [await uploadedDeed(), await uploadedDeed()]
  const box = ({ title }: { title: string }) =>
    main.getByRole('checkbox', { name: `Elegir ${title}`, exact: true })
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents')
  await expect(button('Descargar ZIP')).toHaveCount(0)
  await box(first).check()
  await box(second).check()
  await expect(main).toContainText(
    hasScripts ? 'Documentos elegidos: 2' : 'Con los documentos elegidos',
  )
  const download = page.waitForEvent('download')
  await button('Descargar ZIP').click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^documentos \d{4}-\d\d-\d\d\.zip$/)
  const listed = execFileSync('unzip', ['-Z1', await file.path()], { encoding: 'utf8' })
  expect(listed.trim().split('\n')).toHaveLength(2)
  expect(listed).toContain(first.title)

  await button('Crear sesión').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Nueva sesión de firma')
  const chosen = main.getByRole('group', { name: /^Documentos elegidos/ })
  await expect(chosen.getByRole('checkbox')).toHaveCount(2)
  await field('Título').fill('Desde la lista')
  await button('Crear sesión').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Desde la lista')
})

test('list: chosen drafts are cancelled with one reason; what cannot be says why', async ({
  page,
  hasScripts,
  signedInAs,
  signedDeed,
  uploadedDeed,
}) => {
  const { main, field, button, link } = inMain(page)
  const signed = await signedDeed()
  const [first, second] = [await uploadedDeed(), await uploadedDeed()]
  const query = (deeds: readonly { id: string }[]) =>
    new URLSearchParams(deeds.map(({ id }) => ['document', id]))
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/cancel?${query([signed])}`)
  await expect(main).toContainText('No queda ningún borrador que cancelar')
  await page.goto(`/dashboard/documents/cancel?${query([first, second, signed])}`)
  await expect(main).toContainText('Uno de los documentos que marcó no es borrador')
  const box = main.getByRole('checkbox', { name: second.title, exact: true })
  await box.uncheck()
  await button('Cancelar borradores').click()
  await expect(main).toContainText('Escriba el motivo, hasta 500 caracteres.')
  await expect(box).not.toBeChecked()
  await field('Motivo').fill('Se subieron dos veces')
  await button('Cancelar borradores').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Los borradores quedaron cancelados.')
  await page.goto(`/dashboard/documents/${first.id}`)
  await expect(main.getByText('Cancelado', { exact: true })).toBeVisible()
  await page.goto(`/dashboard/documents/${second.id}`)
  await expect(main.getByText('Borrador', { exact: true })).toBeVisible()
  await page.goto('/dashboard/documents/cancel')
  await expect(messageOn(page, hasScripts)).toHaveText('Marque al menos un documento de la lista.')
  await expect(link('Subir documento').first()).toBeVisible()
})
