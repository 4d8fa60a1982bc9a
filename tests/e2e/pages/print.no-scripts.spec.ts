import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { DASHBOARD_STOPS, pathsOfThings, stopsOf } from '#tests/e2e/support/site-map.ts'
import { findThings } from '#tests/e2e/support/things.ts'

test('printed page: has its heading, and nothing to press or to search with', async ({
  page,
  demo,
  person,
  signedDeed,
  signedInAs,
}) => {
  test.setTimeout(180_000)
  const { main } = inMain(page)
  const deed = await signedDeed()
  const [reader, clerk] = [person('titular'), person('CLERK')]
  const things = pathsOfThings(await findThings({ demo, reader, clerk, signed: deed }))
  await signedInAs('titular')
  await page.emulateMedia({ media: 'print' })
  const left: string[] = []
  const stops = [...DASHBOARD_STOPS, ...stopsOf(deed)].map(({ path }) => path)
  for (const path of [...stops, ...things]) {
    await page.goto(path)
    // A receipt is a paper with a head of its own, without that of the page.
    const level = path.includes('/receipts/') ? 2 : 1
    await expect(main.getByRole('heading', { level }).first(), path).toBeVisible()
    const pressed = main.locator('button, nav, [role=search], [data-button]')
    for (const one of await pressed.all())
      if (await one.isVisible()) left.push(`${path}: ${await one.textContent()}`)
  }
  expect(left).toEqual([])
  await page.goto('/dashboard/documents')
  await expect(main.getByRole('table')).toBeVisible()
  await expect(main.getByText(deed.title, { exact: true })).toBeVisible()
})

test('printed document: begins with its facts, without actions and pictures of pages', async ({
  page,
  signedDeed,
  signedInAs,
}) => {
  const { main } = inMain(page)
  const deed = await signedDeed()
  await signedInAs('titular')
  // Letter paper, in CSS pixels.
  await page.setViewportSize({ width: 816, height: 1056 })
  await page.emulateMedia({ media: 'print' })
  await page.goto(`/dashboard/documents/${deed.id}`)
  const facts = main.getByRole('heading', { name: 'Datos', exact: true })
  expect((await facts.boundingBox())?.y).toBeLessThan(400)
  await expect(main.getByRole('img', { name: /^Página/ })).toHaveCount(0)
  for (const action of [
    'Verificar',
    'Descargar original',
    'Descargar firmado',
    'Registrar una copia',
  ])
    await expect(main.getByRole('link', { name: action, exact: true })).toHaveCount(0)
})
