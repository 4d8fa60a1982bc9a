import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('history: a clerk sees everything that was done to a document, without the log', async ({
  page,
  person,
  signedInAs,
  signedDeed,
}) => {
  const deed = await signedDeed()
  const clerk = await signedInAs('CLERK')
  const { main, link } = inMain(page)
  await page.goto(`/dashboard/documents/${deed.id}`)
  await link('Ver todo el historial').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Historial')
  const notary = person('titular')
  const rows = main.getByRole('row')
  await expect(rows.filter({ hasText: 'Documento subido' })).toContainText(
    `${clerk.firstName} ${clerk.lastName} subió el documento`,
  )
  await expect(rows.filter({ hasText: 'Documento firmado' })).toContainText(
    `${notary.firstName} ${notary.lastName} firmó el documento`,
  )
  await expect(main).not.toContainText('consultó')
  const times = await main.locator('tbody time').all()
  expect(times.length).toBeGreaterThan(1)
  for (const time of times) expect((await time.boundingBox())?.height).toBeLessThan(30)
  expect((await page.goto(`/dashboard/documents/${deed.id}/history?before=uno`))?.status()).toBe(
    200,
  )
})
