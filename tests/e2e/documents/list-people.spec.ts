import { randomInt } from 'node:crypto'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

test('documents: the list names parties and the signers that are awaited, is filtered by signer, and signs what was chosen', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button, link } = inMain(page)
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const title = aTitle()
  const uploaded = await clerk.postParts('/dashboard/documents/new', [
    ...[
      { name: 'title', content: title },
      { name: 'kind', content: 'act' },
    ],
    ...[
      { name: 'number', content: String(randomInt(1e6, 1e7)) },
      { name: 'acts', content: 'Compraventa' },
    ],
    { name: 'parties', content: 'Vendedora: Rosa Ávila\nComprador: Luis Paz\nTestigo: Inés Gil' },
    { name: 'file', fileName: 'escritura.pdf', content: aPdf() },
  ])
  const asked = { title, id: /[0-9a-f-]{36}/.exec(uploaded.headers.location ?? '')?.[0] ?? '' }
  const other = await uploadedDeed()
  const { firstName, lastName } = person('titular')
  const [titular, suplente] = [person('titular'), person('suplente')].map(
    (user) => `${user.firstName} ${user.lastName}`,
  )
  if (!titular || !suplente) throw new Error('no notaries')
  await openSession(
    demo.origin,
    person('CLERK'),
    [asked],
    [
      { colleague: titular, step: 1 },
      { colleague: suplente, step: 2 },
    ],
  )

  await signedInAs('titular')
  await page.goto('/dashboard/documents?columns=parties&columns=awaited')
  for (const name of ['Comparecientes', 'Se espera a'])
    await expect(main.getByRole('columnheader', { name, exact: true })).toBeVisible()
  const row = main.getByRole('row').filter({ hasText: asked.title })
  await expect(row).toContainText('Rosa Ávila, Luis Paz y 1 más')
  await expect(row).toContainText(`${firstName} ${lastName}`)
  // Their turn has not come.
  await expect(row).not.toContainText(suplente)
  await expect(main.getByRole('row').filter({ hasText: other.title })).toBeVisible()

  if (!(await field('Firmante').isVisible())) await main.getByText('Filtros').click()
  await field('Firmante').selectOption({ label: suplente })
  await button('Buscar').click()
  await expect(link(asked.title)).toBeVisible()
  await expect(link(other.title)).toHaveCount(0)
  const active = main.getByRole('navigation', { name: 'Filtros activos' })
  await expect(active.getByRole('link')).toHaveText([`Quitar el filtro: Firmante: ${suplente}`])
  await expect(page).toHaveURL(/signer=[0-9a-f-]{36}/)

  await main.getByRole('checkbox', { name: `Elegir ${asked.title}`, exact: true }).check()
  await button('Firmar').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Firmar varios documentos')
  await expect(page).toHaveURL(new RegExp(`document=${asked.id}`))
  const boxes = main.getByRole('checkbox', { name: /^Escritura/ })
  await expect(boxes).toHaveCount(1)
  await expect(main.getByRole('checkbox', { name: asked.title })).toBeChecked()
})
