import { randomUUID } from 'node:crypto'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

test('documents: columns are chosen, and their heads sort the list', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main, button } = inMain(page)
  const client = await signedInClient(demo.origin, person('CLERK'))
  // Before all titles of the demo.
  const tag = `000 ${randomUUID().slice(0, 8)}`
  for (const title of [`${tag} 9`, `${tag} 10`])
    await client.postParts('/dashboard/documents/new', [
      { name: 'title', content: title },
      { name: 'kind', content: 'letter' },
      { name: 'number', content: '4,521' },
      { name: 'volume', content: '118' },
      { name: 'file', fileName: 'documento.pdf', content: aPdf(1) },
    ])
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents?state=draft&kind=letter')
  const head = (name: string) => main.getByRole('columnheader', { name, exact: true })
  await expect(head('Subido')).toHaveAttribute('aria-sort', 'descending')
  await expect(head('Instrumento')).toHaveCount(0)

  await main.getByText('Columnas', { exact: true }).click()
  for (const column of ['Instrumento', 'Subido por'])
    await main.getByRole('checkbox', { name: column, exact: true }).check()
  await main.getByRole('checkbox', { name: 'Tipo', exact: true }).uncheck()
  await button('Mostrar').click()
  await expect(head('Instrumento')).toBeVisible()
  await expect(head('Subido por')).toBeVisible()
  await expect(head('Tipo')).toHaveCount(0)
  const rows = main.getByRole('row').filter({ hasText: tag })
  await expect(rows).toHaveText([/ 10/, / 9/])
  await expect(rows.first()).toContainText('4,521 · ')

  await head('Documento').getByRole('link').click()
  await expect(head('Documento')).toHaveAttribute('aria-sort', 'ascending')
  await expect(head('Subido')).not.toHaveAttribute('aria-sort')
  await expect(rows).toHaveText([/ 9/, / 10/])
  await head('Subido').getByRole('link').click()
  await expect(head('Subido')).toHaveAttribute('aria-sort', 'descending')
  await head('Subido').getByRole('link').click()
  await expect(head('Subido')).toHaveAttribute('aria-sort', 'ascending')
  await expect(head('Instrumento')).toBeVisible()
  const active = main.getByRole('navigation', { name: 'Filtros activos' })
  await expect(active.getByRole('link')).toHaveText(['Quitar el filtro: Tipo: Carta'])
})

test('documents: a list is kept under a name, opened again and removed', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  const { main, field, button, link } = inMain(page)
  await signedInAs('LAWYER')
  await page.goto('/dashboard/documents')
  await expect(link('Guardar esta vista')).toHaveCount(0)
  const query = 'text=carta&state=draft&kind=letter&columns=awaited&columns=created'
  await page.goto(`/dashboard/documents?${query}`)
  await link('Guardar esta vista').click()
  await expect(main).toContainText(
    'Borradores · Búsqueda: “carta” · Tipo: Carta · Columnas: Se espera a, Subido',
  )
  await button('Guardar vista').click()
  await expect(main).toContainText('Escriba un nombre de hasta 60 caracteres.')
  const name = `Cartas ${randomUUID().slice(0, 8)}`
  await field('Nombre de la vista').fill(name)
  await button('Guardar vista').click()
  const views = main.getByRole('navigation', { name: 'Vistas guardadas' })
  await expect(views.getByRole('link', { name })).toHaveAttribute('aria-current', 'true')
  await expect(field('Buscar documentos')).toHaveValue('carta')

  await page.goto('/dashboard/documents?order=title')
  await expect(views.getByRole('link', { name })).not.toHaveAttribute('aria-current')
  await link('Guardar esta vista').click()
  await field('Nombre de la vista').fill(name.toUpperCase())
  await button('Guardar vista').click()
  await expect(main).toContainText('Usted ya tiene una vista con ese nombre. Escriba otro.')
  await expect(field('Nombre de la vista')).toHaveValue(name.toUpperCase())

  await button(`Eliminar la vista ${name}`).click()
  await expect(main.getByRole('link', { name })).toHaveCount(0)
  await link('Volver a Documentos').click()
  // The refused name still stands in its field.
  if (hasScripts) await page.getByRole('button', { name: 'Salir sin guardar' }).click()
  await expect(page).toHaveURL('/dashboard/documents?order=title')
  await expect(views).toHaveCount(0)
})
