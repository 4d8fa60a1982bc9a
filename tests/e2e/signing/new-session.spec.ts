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
  const none = main.getByText('Todavía ninguno.', { exact: false })
  await expect(none).toBeVisible()
  await box(power).check()
  await expect(none).toBeHidden()
  await expect(main.getByText('Los que marcó abajo.')).toBeVisible()
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

test('new session: drafts are filtered, the address has the filters, and nothing typed is lost', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  test.slow()
  const { main, field, button } = inMain(page)
  const client = await signedInClient(demo.origin, person('CLERK'))
  const tag = randomUUID().slice(0, 8)
  const [power, letter] = [`Mandato ${tag}`, `Carta ${tag}`]
  for (const [title, kind] of [
    [power, 'power-of-attorney'],
    [letter, 'letter'],
  ] as const)
    await client.postParts('/dashboard/documents/new', [
      { name: 'title', content: title },
      { name: 'kind', content: kind },
      { name: 'file', fileName: 'documento.pdf', content: aPdf(1) },
    ])
  await signedInAs('CLERK')
  await page.goto('/dashboard/signing/new')
  await field('Título').fill('Con filtros')
  const box = (name: string) => main.getByRole('checkbox', { name, exact: true })
  const search = field('Buscar por título, número, fecha, persona o folio')
  const press = async () =>
    await main.getByRole('button', { name: 'Buscar', exact: true }).last().click()

  await search.fill(tag)
  await press()
  // The attribute is what the server answered. Before its answer the page shows the newest drafts, these among them.
  await expect(search).toHaveAttribute('value', tag)
  await expect(box(power)).toBeVisible()
  await box(letter).check()
  await field('Tipo').selectOption({ label: 'Poder' })
  await field('Subido por').selectOption({ label: 'Mí' })
  await press()
  await expect(page).toHaveURL(/\?text=[0-9a-f]{8}&kind=power-of-attorney&by=[0-9a-f-]{36}$/)
  const chosen = main.getByRole('group', { name: /^Documentos elegidos/ })
  await expect(chosen.getByRole('checkbox')).toHaveCount(1)
  await expect(box(letter)).toBeChecked()
  await expect(box(power)).toBeVisible()
  await expect(field('Tipo')).toHaveValue('power-of-attorney')
  await expect(field('Título')).toHaveValue('Con filtros')

  // The address alone shows the same drafts.
  await page.goto(page.url())
  await expect(box(power)).toBeVisible()
  await expect(box(letter)).toHaveCount(0)
  await field('Tipo').selectOption({ label: 'Testamento' })
  await press()
  await expect(main).toContainText('Ningún otro borrador coincide.')
  await field('Tipo').selectOption({ label: 'Todos' })
  await field('Subido hasta').fill('2020-01-01')
  await press()
  await expect(page).toHaveURL(/&to=2020-01-01$/)
  await expect(field('Subido hasta')).toHaveAttribute('value', '2020-01-01')
  await expect(main).toContainText('Ningún otro borrador coincide.')
  await field('Subido hasta').fill('')
  await search.fill(`mandaco ${tag}`)
  await press()
  await expect(main.getByRole('heading', { name: 'Resultados parecidos' })).toBeVisible()
  await box(power).check()
  await field('Título').fill('Con filtros')
  await button('Crear sesión').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Con filtros')
  await expect(main.getByRole('table').first().getByRole('row')).toHaveCount(2)
})

test('draft session: its drafts are filtered by the address', async ({
  page,
  demo,
  person,
  uploadedDeed,
  signedInAs,
}) => {
  const { main, field, button, text } = inMain(page)
  const client = await signedInClient(demo.origin, person('CLERK'))
  const tag = randomUUID().slice(0, 8)
  await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: `Mandato ${tag}` },
    { name: 'kind', content: 'power-of-attorney' },
    { name: 'file', fileName: 'documento.pdf', content: aPdf(1) },
  ])
  const { id } = await uploadedDeed()
  await signedInAs('CLERK')
  await page.goto(`/dashboard/signing/new?document=${id}`)
  await field('Título').fill('Un borrador más')
  await button('Crear sesión').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Un borrador más')
  await text('Agregar borradores').click()
  await field('Buscar por título, número, fecha, persona o folio').fill(tag)
  await field('Tipo').selectOption({ label: 'Testamento' })
  await button('Buscar').first().click()
  await expect(page).toHaveURL(/\?draft=[0-9a-f]{8}&kind=will&by=&from=&to=$/)
  await expect(main).toContainText('Ningún otro borrador coincide.')
  await field('Tipo').selectOption({ label: 'Poder' })
  await button('Buscar').first().click()
  await main.getByRole('checkbox', { name: `Mandato ${tag}`, exact: true }).check()
  await button('Agregar los marcados').click()
  await expect(main.getByRole('table').first()).toContainText(`Mandato ${tag}`)
})
