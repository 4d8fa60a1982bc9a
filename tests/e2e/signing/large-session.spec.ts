import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'

const test = withOwnOffice()

test('signing session: is opened with more documents than one page of the list holds', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  test.slow()
  const { main, field, button } = inMain(page)
  const client = await signedInClient(demo.origin, person('CLERK'))
  for (let number = 1; number <= 60; number++)
    await client.postParts('/dashboard/documents/new', [
      { name: 'title', content: `Crédito ${number}` },
      { name: 'kind', content: 'letter' },
      { name: 'file', fileName: 'credito.pdf', content: aPdf(1) },
    ])
  await signedInAs('CLERK')
  await page.goto('/dashboard/signing/new')
  await field('Título').fill('Créditos de noviembre')
  await field('Buscar por título, número, fecha, persona o folio').fill('credito')
  await field('Buscar por título, número, fecha, persona o folio').press('Enter')
  // The attribute is what the server answered.
  await expect(field('Buscar por título, número, fecha, persona o folio')).toHaveAttribute(
    'value',
    'credito',
  )
  const behind = main.locator('input[name=behind]')
  const chosen = main.getByRole('group', { name: /^Documentos elegidos/ }).getByRole('checkbox')
  for (const [added, count] of [
    [25, 25],
    [25, 50],
    [10, 60],
  ]) {
    await button(`Elegir los ${added} de esta lista`).click()
    await expect(chosen).toHaveCount(count ?? 0)
    if (count === 60) break
    const page = await behind.inputValue()
    await button('Elegir los marcados y ver los siguientes').click()
    await expect(behind).not.toHaveValue(page)
  }
  await button('Crear sesión').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Créditos de noviembre')
  await expect(main.getByRole('link', { name: /^Crédito / })).toHaveCount(60)
  const fold = main.locator('details', { hasText: 'Agregar borradores' })
  await fold.locator('summary').click()
  await fold.getByLabel('Buscar por título, número, fecha, persona o folio').fill('credito')
  await fold.getByRole('button', { name: 'Buscar' }).click()
  await expect(fold).toContainText('Ningún otro borrador coincide.')
})
