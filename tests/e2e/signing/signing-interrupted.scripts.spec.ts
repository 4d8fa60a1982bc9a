import { readFileSync } from 'node:fs'
import { signDeed } from '#tests/e2e/support/deeds.ts'
import { expect, fillSigning, inMain, signIn, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

/** A sentence is left to be read, or the document is prepared twice. */
const SLOW = { timeout: 20_000 }

test('session ended while signing: the page says so, and signing continues after sign-in', async ({
  page,
  context,
  signedInAs,
  uploadedDeed,
}) => {
  const { button, text, field } = inMain(page)
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed()
  const address = `/dashboard/documents/${deed.id}/sign`
  await page.goto(address)
  await fillSigning(page, notary)
  const other = await context.newPage()
  await other.goto('/dashboard')
  await other.locator('form[action="/logout"] button').first().dispatchEvent('click')
  await expect(other).toHaveURL('/login')

  await button('Firmar documento').click()
  await expect(text('Su sesión ha expirado. Por favor, inicie sesión nuevamente.')).toBeVisible()
  await expect(field('Contraseña de la clave privada')).toHaveValue('')
  await expect(page).toHaveURL(`/login?returnUrl=${encodeURIComponent(address)}`, SLOW)
  await signIn(page, notary)
  await expect(page).toHaveURL(address)
})

test('second window of the same user: the signature is prepared again unnoticed', async ({
  page,
  demo,
  signedInAs,
  uploadedDeed,
}) => {
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed()
  const address = `/dashboard/documents/${deed.id}/sign`
  const elsewhere = await signedInClient(demo.origin, notary)
  const certificate = readFileSync(notary.cer).toString('base64')
  let completions = 0
  await page.route(`**${address}/complete`, async (route) => {
    completions += 1
    if (completions === 1) await elsewhere.post(`${address}/prepare`, { version: '1', certificate })
    await route.continue()
  })
  await page.goto(address)
  await fillSigning(page, notary)
  await inMain(page).button('Firmar documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`, SLOW)
  await expect(inMain(page).text('Firmado')).toBeVisible()
  expect(completions).toBe(2)
})

test('document signed meanwhile: the page says so and links to its current version', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { button, link, main } = inMain(page)
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed()
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await fillSigning(page, notary)
  await expect(link('Ver la versión actual')).toHaveCount(0)
  await signDeed(demo.origin, deed, person('suplente'))
  await button('Firmar documento').click()
  await expect(main).toContainText('El documento ya está completo y no admite más firmas.')
  await link('Ver la versión actual').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
})

for (const [what, isStored] of [
  ['a completion that does not arrive', false],
  ['a completion whose answer is lost', true],
] as const)
  test(`${what}: the page claims no result, and the next try reports it`, async ({
    page,
    signedInAs,
    uploadedDeed,
  }) => {
    const { button, field, text } = inMain(page)
    const notary = await signedInAs('titular')
    const deed = await uploadedDeed()
    // An answer that is lost is asked for three times.
    await page.route(
      '**/sign/complete',
      async (route) => {
        if (isStored) await route.fetch()
        await route.abort()
      },
      { times: 3 },
    )
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    await fillSigning(page, notary)
    await button('Firmar documento').click()
    await expect(page.getByRole('alert')).toHaveText(
      'Error de conexión. Por favor, verifique su conexión a internet. No se sabe si la firma llegó a guardarse; al volver a firmar se comprueba primero.',
    )
    await expect(field('Contraseña de la clave privada')).toHaveValue(notary.keyPassword)
    await button('Firmar documento').click()
    await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
    await expect(text('Firmado')).toBeVisible()
  })
