import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'

test('audit log: an open page shows new events by itself, until it is paused', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, button } = inMain(page)
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/audit?about=documents')
  await expect(main.getByText('Los eventos nuevos aparecen solos.')).toBeVisible()
  const { title } = await uploadedDeed()
  const row = main.getByRole('row').filter({ hasText: title })
  await expect(row.first()).toContainText('subió el documento')
  await expect(main.getByRole('status')).toContainText(/eventos? nuevos?\./)

  await button('Pausar').click()
  await expect(button('Continuar')).toBeVisible()
  const other = await uploadedDeed()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  // Longer than the page waits between two calls.
  await page.waitForTimeout(6000)
  expect(asked).toEqual([])
  await button('Continuar').click()
  await expect(main.getByRole('row').filter({ hasText: other.title }).first()).toBeVisible()
})

test('audit log: an open page does not keep an idle session alive, and stops with it', async ({
  page,
  signedInAs,
}) => {
  const { main } = inMain(page)
  const { email } = await signedInAs('AUDITOR')
  await page.goto('/dashboard/audit')
  await expect(main.getByText('Los eventos nuevos aparecen solos.')).toBeVisible()
  const database = officeDatabase(process.env.DEMO_DATA ?? '')
  const ofAuditor = 'user_id = (select id from users where email = ?)'
  const seen = () =>
    database.all(`select id, last_seen_at from sessions where ${ofAuditor} order by id`, email)
  database.change(
    `update sessions set last_seen_at = last_seen_at - 600000 where ${ofAuditor} and ended_at is null`,
    email,
  )
  const before = seen()
  const answer = await page.waitForResponse(/\/dashboard\/audit\/nuevos/)
  expect(answer.status()).toBe(200)
  expect(seen()).toEqual(before)
  database.close()
  await page.context().clearCookies()
  await expect(main.getByText('La lista ya no se actualiza sola.')).toBeVisible({ timeout: 15_000 })
})
