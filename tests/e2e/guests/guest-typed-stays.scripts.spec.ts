import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { agree, anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'

const REASON = 'El precio no es el que acordamos con la vendedora.'

test('guest whose link is over: the message stands above the form, and the reason stays in it', async ({
  browser,
  demo,
  person,
  uploadedDeed,
  faults,
}) => {
  test.slow()
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), person('suplente'))
  const guest = await anotherBrowser(browser, demo, true)
  const { field, main } = inMain(guest)
  await openLink(guest, `/sign#${await asked.newCode()}`, true)
  await agree(guest)
  await guest.goto('/sign/reject')
  await field('Motivo').fill(REASON)
  await asked.revoke()
  await main.locator('form[data-transport] button').last().click()
  await expect(guest.getByRole('alert').filter({ visible: true })).toContainText('enlace')
  await expect(guest).toHaveURL(/\/sign\/reject$/)
  await expect(field('Motivo')).toHaveValue(REASON)
  faults.length = 0
})
