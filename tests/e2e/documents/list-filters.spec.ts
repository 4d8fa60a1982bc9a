import { randomUUID } from 'node:crypto'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

test('documents: the address has the filters, and each is removed by its link', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main, field, button, link } = inMain(page)
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
  await page.goto(`/dashboard/documents?text=${tag}&state=draft`)
  await expect(link(power)).toBeVisible()
  await expect(link(letter)).toBeVisible()
  const active = main.getByRole('navigation', { name: 'Filtros activos' })
  await expect(active).toHaveCount(0)

  await field('Tipo').selectOption({ label: 'Poder' })
  await field('Subido por').selectOption({ label: 'Mí' })
  await field('Subido desde').fill('2020-01-01')
  await button('Buscar').click()
  await expect(active.getByRole('link')).toHaveText([
    'Quitar el filtro: Tipo: Poder',
    'Quitar el filtro: Subido por mí',
    'Quitar el filtro: Subido desde el 01 ene 2020',
  ])
  await expect(page).toHaveURL(/kind=power-of-attorney&by=[0-9a-f-]{36}&from=2020-01-01/)
  await expect(link(power)).toBeVisible()
  await expect(link(letter)).toHaveCount(0)

  // The chips of the states keep search and filters, and the address alone shows the same. The numbers of the whole
  // office say nothing about a filtered list.
  await expect(main.getByRole('link', { name: /^Borradores/ })).toHaveText('Borradores')
  await main.getByRole('link', { name: /^Firmados/ }).click()
  await expect(main).toContainText(
    'Ningún documento coincide con la búsqueda y los filtros. Quite un filtro o busque con menos palabras.',
  )
  await main.getByRole('link', { name: /^Borradores/ }).click()
  await expect(link(power)).toBeVisible()
  await page.goto(page.url())
  await expect(field('Tipo')).toHaveValue('power-of-attorney')
  await expect(field('Subido desde')).toHaveValue('2020-01-01')
  await expect(field('Buscar documentos')).toHaveValue(tag)

  await active.getByRole('link', { name: /Tipo: Poder$/ }).click()
  await expect(active.getByRole('link')).toHaveCount(2)
  await expect(link(letter)).toBeVisible()
  await expect(field('Tipo')).toHaveValue('')
  await expect(field('Subido desde')).toHaveValue('2020-01-01')

  await field('Subido hasta').fill('2019-12-31')
  await button('Buscar').click()
  await expect(main).toContainText('ningún día queda entre los dos')
  await link('Ver todos los documentos').click()
  await expect(page).toHaveURL('/dashboard/documents')
  await expect(field('Subido hasta')).toHaveValue('')
  await expect(active).toHaveCount(0)
  await expect(main.getByRole('link', { name: /^Borradores/ })).toHaveText(/^Borradores\d/)
})

test('documents: a page of a filtered list leads to the next with the same filters', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  test.slow()
  const client = await signedInClient(demo.origin, person('CLERK'))
  const files = Array.from({ length: 51 }, (_, index) => ({
    ...{ name: 'file', fileName: `${index}.pdf`, content: aPdf() },
  }))
  await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: 'Nota al margen' },
    { name: 'kind', content: 'annotation' },
    ...files,
  ])
  const { main, field, button, link } = inMain(page)
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/documents')
  await field('Tipo').selectOption({ label: 'Nota complementaria' })
  await field('Subido desde').fill('2020-01-01')
  await button('Buscar').click()
  await expect(page).toHaveURL(/kind=annotation/)
  const rows = main.locator('tbody').getByRole('row')
  await expect(rows).toHaveCount(50)
  // The address changes before the page does.
  await expect(link('Anteriores')).toHaveAttribute('href', /kind=annotation/)
  const newest = (await rows.first().textContent()) ?? ''
  const filters = 'kind=annotation&from=2020-01-01'
  await link('Anteriores').click()
  await expect(page).toHaveURL(new RegExp(`[?]${filters}&behind=[^&]+$`))
  await expect(rows.first()).toContainText('Nota complementaria')
  await expect(rows.filter({ hasText: newest })).toHaveCount(0)
  await link('Más recientes').click()
  await expect(page).toHaveURL(`/dashboard/documents?${filters}`)
  await expect(rows).toHaveCount(50)
})

test('documents: values that do not fit are ignored, and every day is an answer', async ({
  page,
  signedInAs,
}) => {
  const { main } = inMain(page)
  await signedInAs('AUDITOR')
  const rows = main.locator('tbody').getByRole('row')
  await page.goto('/dashboard/documents')
  const first = (await rows.first().textContent()) ?? ''
  const answer = await page.goto(
    "/dashboard/documents?kind=nada&by=';--&from=2026-02-30&to=20/11/2026&behind=x&state=y",
  )
  expect(answer?.status()).toBe(200)
  await expect(rows.filter({ hasText: first })).not.toHaveCount(0)
  for (const query of ['from=0000-01-01&to=9999-12-31', 'from=0001-01-01']) {
    const every = await page.goto(`/dashboard/documents?${query}`)
    expect(every?.status()).toBe(200)
    await expect(rows.filter({ hasText: first })).not.toHaveCount(0)
  }
})
