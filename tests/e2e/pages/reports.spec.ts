import { readFileSync } from 'node:fs'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

test('report of documents: its counts lead to the lists of what was counted, and are a file', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { field, button, link, main } = inMain(page)
  // Of a kind that no other test uploads: the list shows as many rows as were counted.
  const client = await signedInClient(demo.origin, person('CLERK'))
  const { status } = await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: aTitle('Croquis') },
    { name: 'kind', content: 'appendix' },
    { name: 'file', fileName: 'croquis.pdf', content: aPdf(1) },
  ])
  expect(status).toBe(303)
  await signedInAs('CLERK')
  await page.goto('/dashboard')
  await link('Reportes').click()
  await link('Documentos por tipo y estado').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Documentos por tipo y estado')
  const total = main
    .getByRole('table', { name: 'Documentos por tipo y estado' })
    .getByRole('row')
    .last()
  await expect(total).toContainText(/Total.*[1-9]/)

  const [file] = await Promise.all([page.waitForEvent('download'), link('CSV').click()])
  const csv = readFileSync((await file.path())!, 'utf8')
  expect(csv).toMatch(/^\ufeffTipo,Borradores,En firma,Firmados,Rechazados,Cancelados,Total\r\n/)
  expect(csv).toContain('Escritura,')

  const appendices = main
    .getByRole('row', { name: /^Apéndice/ })
    .getByRole('link')
    .last()
  const count = Number(await appendices.innerText())
  expect(count).toBeGreaterThan(0)
  await appendices.click()
  await expect(page).toHaveURL(/\/dashboard\/documents\?kind=appendix&from=/)
  await expect(main.locator('tbody tr')).toHaveCount(count)
  await page.goBack()

  await field('Desde').fill('2001-01-01')
  await field('Hasta').fill('2001-01-31')
  await button('Ver').click()
  await expect(main).toContainText('En estos días no hay nada que contar.')
  await expect(field('Desde')).toHaveValue('2001-01-01')
})

test('index of instruments: lists what the office has, of the numbers that one asks for', async ({
  page,
  signedInAs,
}) => {
  const { field, button, link, main } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/dashboard/reports')
  await link('Índice de instrumentos').click()
  const table = main.getByRole('table', { name: 'Índice de instrumentos' })
  await expect(table.getByRole('row', { name: '4,521' })).toContainText('Escritura')
  await field('Del número').fill('4,521')
  await field('Al número').fill('4521')
  await button('Ver').click()
  await expect(page).toHaveURL(/first=4%2C521&last=4521/)
  await expect(table.getByRole('row')).toHaveCount(2)

  const [file] = await Promise.all([page.waitForEvent('download'), link('CSV').click()])
  const csv = readFileSync((await file.path())!, 'utf8')
  expect(csv).toMatch(/^\ufeffDel número,Al número,Libro,Folios,Fecha,Acto,Comparecientes,/)
  expect(csv.trim().split('\r\n')).toHaveLength(2)

  await field('Del número').fill('99,000,000')
  await field('Al número').fill('')
  await button('Ver').click()
  await expect(page).toHaveURL(/first=99%2C000%2C000/)
  await expect(main).toContainText('No hay instrumentos con esos números y fechas.')

  await field('Del número').fill('')
  await field('Desde').fill('2001-01-01')
  await field('Hasta').fill('2001-12-31')
  await button('Ver').click()
  await expect(page).toHaveURL(/to=2001-12-31/)
  await expect(field('Hasta')).toHaveValue('2001-12-31')
  await expect(main).toContainText('No hay instrumentos con esos números y fechas.')
  await field('Hasta').fill('2099-12-31')
  await button('Ver').click()
  await expect(table.getByRole('row', { name: '4,521' })).toContainText('Escritura')
  const [days] = await Promise.all([page.waitForEvent('download'), link('CSV').click()])
  expect(days.suggestedFilename()).toContain(' 2001-01-01 a 2099-12-31.csv')
  expect(readFileSync((await days.path())!, 'utf8')).toContain('\r\n4521,4521,')
})

test('report of activity: for those who may see people, as Excel and PDF; a long one is made apart', async ({
  page,
  signedInAs,
}) => {
  const { button, link, main } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/dashboard/reports')
  await expect(link('Documentos por acto')).toBeVisible()
  await expect(link('Actividad por persona')).toHaveCount(0)
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/reports')
  await link('Actividad por persona').click()
  await expect(main.getByRole('table', { name: 'Actividad por persona' })).toContainText(
    'Castañeda',
  )
  for (const [name, magic] of [
    ['Excel', 'PK'],
    ['PDF', '%PDF'],
  ] as const) {
    const [file] = await Promise.all([page.waitForEvent('download'), link(name).click()])
    expect(readFileSync((await file.path())!).toString('latin1')).toMatch(new RegExp(`^${magic}`))
  }

  await page.goto('/dashboard/reports/instruments?behind=1')
  await main.getByLabel('Preparar aparte como').selectOption('CSV')
  await button('Preparar archivo').click()
  await expect(page).toHaveURL(/\/dashboard\/reports\/files$/)
  const made = link('Índice de instrumentos')
  // Without scripts the page shows it when it is read again.
  await expect(async () => {
    await page.goto('/dashboard/reports/files')
    await expect(made).toBeVisible({ timeout: 1000 })
  }).toPass()
  const [file] = await Promise.all([page.waitForEvent('download'), made.click()])
  expect(readFileSync((await file.path())!, 'utf8')).toMatch(/^\ufeffDel número,Al número,/)
  await button('Descartar Índice de instrumentos').click()
  await expect(made).toHaveCount(0)
})
