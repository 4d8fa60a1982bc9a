import { openPage, returnToTab } from '#tests/e2e/support/client-state.ts'
import { expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { test } from '#tests/e2e/support/late-user.ts'

test('session over when the user comes back to the tab: what was typed is there after sign-in', async ({
  page,
  late,
}) => {
  const { field } = inMain(page)
  await page.goto('/login')
  await signIn(page, late)
  await expect(page).toHaveURL('/dashboard')
  await openPage(page, '/dashboard/users/new')
  await field('Nombres').fill('Ximena')
  late.endSessions()
  await returnToTab(page)
  await expect(page).toHaveURL(/\/login\?returnUrl=.*conservado/)
  await signIn(page, late)
  await expect(page.getByText('Recuperamos lo que había escrito.')).toBeVisible()
  await expect(field('Nombres')).toHaveValue('Ximena')
})
