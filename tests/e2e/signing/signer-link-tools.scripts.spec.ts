import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'

test('signing link: copied and shared where the browser can', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, button } = inMain(page)
  const asked = await inviteGuest(demo, await uploadedDeed(), person('CLERK'), person('suplente'))
  await signedInAs('CLERK')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    const shared: ShareData[] = []
    Object.assign(window, { shared })
    Object.assign(navigator, {
      share: (data: ShareData) => {
        shared.push(data)
        return shared.length > 1 ? Promise.reject(new Error('no target')) : Promise.resolve()
      },
    })
  })
  await page.goto(asked.linkPage)
  await button('Crear enlace y mostrarlo').click()
  const address = (await main.getByText(/\/sign#/).textContent()) ?? ''
  await button('Copiar enlace').click()
  await expect(main.getByRole('status')).toHaveText('El enlace se copió.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)

  await button('Compartir').click()
  const shared = await page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared)
  expect(shared).toMatchObject([{ url: address }])
  await button('Compartir').click()
  await expect(main.getByRole('status')).toHaveText(
    'El equipo no pudo compartirlo. Cópielo y envíelo.',
  )
  await expect(button('Imprimir')).toBeVisible()
})
