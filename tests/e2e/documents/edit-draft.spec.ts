import { randomInt } from 'node:crypto'
import { aTitle } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

test('draft: a clerk corrects its title and kind, and finds it by the new title', async ({
  page,
  hasScripts,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button, link } = inMain(page)
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await link('Editar título, tipo y datos').click()
  await expect(field('Título')).toHaveValue(deed.title)
  await field('Título').fill(' ')
  await button('Guardar').click()
  await expect(main).toContainText('Escriba el título del documento, hasta 200 caracteres.')
  const title = aTitle('Usufructo')
  await field('Título').fill(title)
  await field('Tipo de documento').selectOption({ label: 'Testimonio' })
  await button('Guardar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Los datos del documento se guardaron.')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(main.getByText('Testimonio', { exact: true })).toBeVisible()
  await page.goto(`/dashboard/documents?text=${encodeURIComponent(title)}`)
  await expect(link(title)).toBeVisible()
})

test('draft: a second tab with an earlier form is refused, and nothing typed is lost', async ({
  page,
  context,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  const address = `/dashboard/documents/${deed.id}/edit`
  await page.goto(address)
  const other = await context.newPage()
  await other.goto(address)
  const [first, second] = [aTitle('Primera'), aTitle('Segunda')]
  await inMain(other).field('Título').fill(first)
  await inMain(other).button('Guardar').click()
  await expect(inMain(other).main.getByRole('heading', { level: 1 })).toHaveText(first)

  const { main, field, button } = inMain(page)
  await field('Título').fill(second)
  await field('Folios').fill('101 a 110')
  // No two documents of the office have the same one.
  await field('Número de escritura o acta').fill(String(randomInt(1_000_000, 9_999_999)))
  await button('Guardar').click()
  await expect(main).toContainText(
    'Los datos del documento cambiaron mientras usted los editaba. No se guardó nada.',
  )
  await expect(main.getByRole('region', { name: 'Lo guardado' })).toContainText(first)
  await expect(field('Título')).toHaveValue(second)
  await expect(field('Folios')).toHaveValue('101 a 110')
  await button('Guardar').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(second)
  await expect(main).toContainText('101 a 110')
})
