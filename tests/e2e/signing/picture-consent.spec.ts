import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

test('signing page: the decision about pictures of the pages leads back to the form', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  const deed = await uploadedDeed()
  const { firstName, lastName } = person('titular')
  const asked = { colleague: `${firstName} ${lastName}`, step: 1 }
  await openSession(demo.origin, person('CLERK'), [deed], [asked])
  await signedInAs('titular')
  const address = `/dashboard/documents/${deed.id}`
  for (const place of [`${address}/sign`, address]) {
    await page.goto(place)
    const { main, button } = inMain(page)
    await main.getByLabel(/^Consiento que cualquier persona/).click()
    await button('Guardar mi decisión').click()
    const isHydrated = hasScripts && place === address
    await expect(messageOn(page, isHydrated)).toHaveText('Su decisión quedó registrada.')
    await expect(page).toHaveURL(place)
  }
})
