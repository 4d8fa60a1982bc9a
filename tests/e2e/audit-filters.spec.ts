import { openSession } from './support/signing-session.ts'
import { expect, inMain, test } from './support/story.ts'

test('an auditor asks the log about one thing, one person and one day', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button, link } = inMain(page)
  await uploadedDeed()
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/audit')
  const { firstName, lastName } = person('CLERK')
  await field('Sobre').selectOption('Documentos y constancias')
  await field('Quién').selectOption(`${firstName} ${lastName}`)
  await button('Filtrar').click()
  await expect(page).toHaveURL(/about=documents/)
  await expect(field('Sobre')).toHaveValue('documents')
  const rows = main.getByRole('table').locator('tbody tr')
  await expect(rows.filter({ hasText: 'Documento subido' }).first()).toBeVisible()
  await expect(rows.filter({ hasNotText: `${firstName} ${lastName}` })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'Sesión iniciada' })).toHaveCount(0)

  await field('Hasta').fill('2020-01-01')
  await button('Filtrar').click()
  await expect(main).toContainText('Ningún evento coincide con los filtros.')
  await expect(field('Hasta')).toHaveValue('2020-01-01')
  await link('Quitar los filtros').click()
  await expect(page).toHaveURL('/dashboard/audit')
  await expect(field('Sobre')).toHaveValue('')
  await expect(rows.first()).toBeVisible()
})

test('an event about a signing session leads to it', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main } = inMain(page)
  const outside = { name: 'Begoña Peñaloza', rfc: 'PEYB820417HM1', email: 'b@notaria.example' }
  const deeds = [await uploadedDeed()]
  const session = await openSession(demo.origin, person('CLERK'), deeds, [outside])
  await signedInAs('AUDITOR')
  await page.goto(`/dashboard/audit?subject=${session}`)
  await main.getByRole('link', { name: 'Sesión de firma abierta', exact: true }).click()
  await expect(page).toHaveURL(`/dashboard/signing/${session}`)
})
