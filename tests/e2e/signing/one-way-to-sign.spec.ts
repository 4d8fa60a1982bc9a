import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('signing page: shows one of its two forms and no empty space', async ({
  page,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  await signedInAs('NOTARY')
  const deed = await uploadedDeed()
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  const main = page.getByRole('main')

  const inPage = main.getByRole('heading', { name: 'Firmar con e.firma', exact: true })
  const onServer = main.getByRole('heading', { name: 'Firmar en el servidor', exact: true })
  const wayOut = main.getByRole('link', {
    name: 'Enviar la clave para firmar en el servidor',
    exact: true,
  })
  if (hasScripts) {
    await expect(inPage).toBeVisible()
    await expect(wayOut).toBeVisible()
    await expect(onServer).toHaveCount(0)
  } else {
    await expect(onServer).toBeVisible()
    await expect(inPage).toBeHidden()
    await expect(wayOut).toBeHidden()
  }
  await expect(main.getByRole('button', { name: 'Firmar documento', exact: true })).toHaveCount(1)
})

test('form of the server, on a telephone: a refusal is on the screen, not below the pages', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  await page.setViewportSize({ width: 390, height: 600 })
  await signedInAs('NOTARY')
  const deed = await uploadedDeed()
  await page.goto(`/dashboard/documents/${deed.id}/sign/without-scripts`)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Firmar documento', exact: true }).click()
  await expect(main.locator('form [aria-invalid=true]').first()).toBeInViewport()
})

test('form of the server: what refuses it as a whole is on its page, with the focus', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed(aPdf(5))
  await page.goto(`/dashboard/documents/${deed.id}/sign/without-scripts`)
  const { field, button } = inMain(page)
  await field('Certificado (.cer)').setInputFiles(notary.cer)
  await field('Clave privada (.key)').setInputFiles(notary.key)
  await field('Contraseña de la clave privada').fill(notary.keyPassword)
  await page.getByRole('checkbox', { name: /^Autorizo/ }).check()
  await button('Firmar documento').click()
  const refusal = page.locator('main form [data-form-refusal]')
  await expect(refusal).toContainText('Todavía no vio todas las páginas')
  await expect(refusal).toBeFocused()
  await expect(refusal).toBeInViewport()
  const onwards = refusal.getByRole('link', { name: /^Seguir leyendo en la página [2-5]$/ })
  const next = (await onwards.innerText()).at(-1)
  await onwards.click()
  await expect(page).toHaveURL(new RegExp(`\\?pagina=${next}#lector$`))
  await expect(page.getByRole('figure', { name: `Página ${next} de 5` })).toBeInViewport()
})

test('draft: those who make sessions make one from its page', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  await signedInAs('NOTARY')
  const deed = await uploadedDeed()
  await page.goto(`/dashboard/documents/${deed.id}`)
  await page.getByRole('main').getByRole('link', { name: 'Crear sesión de firma' }).click()
  await expect(page).toHaveURL(/\/dashboard\/signing\/new/)
  await expect(page.locator(`input[name=document][value="${deed.id}"]`).first()).toBeChecked()
})
