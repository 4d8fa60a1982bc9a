import { randomUUID } from 'node:crypto'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

/** A word that no other document has: letters only. */
const aWord = () =>
  randomUUID()
    .replace(/[^a-f]/g, '')
    .padEnd(8, 'x')
    .slice(0, 8) +
  randomUUID()
    .replace(/[^a-f]/g, '')
    .slice(0, 12)

test('search: a document is found as people write it, and the closest one comes first', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const client = await signedInClient(demo.origin, person('CLERK'))
  const word = aWord()
  const number = String(Math.floor(Math.random() * 80_000) + 10_000)
  const comma = `${number.slice(0, -3)},${number.slice(-3)}`
  const titles = [`Compraventa ${word} ${comma}`, `Lote ${word} 9${number}`]
  for (const title of titles)
    await client.postParts('/dashboard/documents/new', [
      { name: 'title', content: title },
      { name: 'kind', content: 'deed' },
      { name: 'file', fileName: 'documento.pdf', content: aPdf(1) },
    ])
  const { main, field } = inMain(page)
  const rows = main.getByRole('row').filter({ has: page.getByRole('link') })
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents')
  const search = async (text: string) => {
    await field('Buscar documentos').fill(text)
    await field('Buscar documentos').press('Enter')
    await expect(page).toHaveURL(/[?&]text=/)
    await expect(field('Buscar documentos')).toHaveValue(text)
  }
  for (const text of [`${word} ${number}`, `escritura ${word} ${comma}`]) {
    await search(text)
    await expect(rows.first()).toContainText(titles[0] ?? '')
  }
  await search(`${word} ${number}`)
  await expect(rows).toHaveCount(2)
  await search(`${word.toUpperCase()} compra`)
  await expect(rows).toHaveCount(1)
  await expect(main.getByRole('heading', { name: 'Resultados parecidos' })).toHaveCount(0)

  await search(`${word.slice(0, 3)}z${word.slice(3)}`)
  await expect(main.getByRole('heading', { name: 'Resultados parecidos' })).toBeVisible()
  await expect(rows).toHaveCount(2)
  await search(`${word} ${number.slice(0, -1)}x`)
  await expect(main).toContainText('Ningún documento coincide con la búsqueda.')
})
