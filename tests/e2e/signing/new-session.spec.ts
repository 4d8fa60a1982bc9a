import { randomUUID } from 'node:crypto'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

test('new session: documents are searched, chosen and put in order, and nothing typed is lost', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  test.slow()
  const { main, field, button } = inMain(page)
  const client = await signedInClient(demo.origin, person('CLERK'))
  const tag = randomUUID().slice(0, 8)
  const [power, minutes, letter] = [`Poder ${tag}`, `Acta ${tag}`, `Crédito ${tag}`]
  for (const title of [power, minutes, letter])
    await client.postParts('/dashboard/documents/new', [
      { name: 'title', content: title },
      { name: 'kind', content: 'letter' },
      { name: 'file', fileName: 'documento.pdf', content: aPdf(1) },
    ])
  await signedInAs('CLERK')
  await page.goto('/dashboard/signing/new')
  await field('Título').fill('Tres documentos')
  const search = async (text: string) => {
    await field('Buscar por título, número, fecha, persona o folio').fill(text)
    await main.getByRole('button', { name: 'Buscar', exact: true }).last().click()
    // The attribute is what the server answered; the value is what was typed.
    await expect(field('Buscar por título, número, fecha, persona o folio')).toHaveAttribute(
      'value',
      text,
    )
  }
  const chosen = main.getByRole('group', { name: /^Documentos elegidos/ })
  const box = (name: string) => main.getByRole('checkbox', { name, exact: true })
  await search(`poder ${tag}`)
  await box(power).check()
  await search(`ACTA ${tag}`)
  await expect(chosen.getByRole('checkbox')).toHaveCount(1)
  await expect(box(power)).toBeChecked()
  await box(minutes).check()
  // The Enter key searches, and creates nothing.
  await field('Buscar por título, número, fecha, persona o folio').fill(`credito ${tag}`)
  await field('Buscar por título, número, fecha, persona o folio').press('Enter')
  await expect(chosen.getByRole('checkbox')).toHaveCount(2)
  await box(letter).check()
  await search('nada así')
  await expect(chosen.getByRole('checkbox')).toHaveCount(3)
  await expect(main).toContainText('Ningún otro borrador coincide.')
  await button(`Subir ${letter}`).click()
  await expect(chosen.getByRole('checkbox').nth(1)).toHaveAccessibleName(letter)
  await expect(field('Título')).toHaveValue('Tres documentos')
  await box(minutes).uncheck()
  await button('Crear sesión').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Tres documentos')
  const rows = main.getByRole('table').first().getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText(power)
  await expect(rows.nth(2)).toContainText(letter)
})
