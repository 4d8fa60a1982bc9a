import type { Page } from '@playwright/test'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'

/* What one does beside the form never costs the e.firma that was chosen in it. */

async function choose(page: Page, { cer, key, keyPassword }: DemoUser) {
  const { field } = inMain(page)
  await field('Certificado (.cer)').setInputFiles(cer)
  await field('Clave privada (.key)').setInputFiles(key)
  await field('Contraseña de la clave privada').fill(keyPassword)
}

const chosen = (page: Page) =>
  page
    .locator('main input[type=file]')
    .evaluateAll((all) =>
      all.flatMap((one) => [...((one as HTMLInputElement).files ?? [])].map(({ name }) => name)),
    )

test('signing page: full screen and back keep a chosen e.firma, and change the page', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(aPdf(8))
  const notary = await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  const { field, link } = inMain(page)
  const width = () =>
    page.getByRole('figure', { name: 'Página 1 de 8' }).evaluate((one) => one.clientWidth)
  const narrow = await width()
  await choose(page, notary)
  await link('Pantalla completa').click()
  await expect(link('Salir de pantalla completa')).toBeVisible()
  await expect(page).toHaveURL(/pantalla=completa/)
  expect(await width()).toBeGreaterThan(narrow + 200)
  expect(await chosen(page)).toHaveLength(2)
  await link('Salir de pantalla completa').click()
  await expect(link('Pantalla completa')).toBeVisible()
  expect(await width()).toBe(narrow)
  expect(await chosen(page)).toHaveLength(2)
  await expect(field('Contraseña de la clave privada')).toHaveValue(notary.keyPassword)
})

test('signing page: the way to the next unread page keeps a chosen e.firma', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(aPdf(8))
  const notary = await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign?zoom=125`)
  const { main, field, button } = inMain(page)
  await choose(page, notary)
  const onwards = main.getByRole('link', { name: /^Seguir leyendo en la página [2-8]$/ })
  await expect(onwards).toHaveCount(0)
  await button('Firmar documento').click()
  await expect(main.getByRole('alert')).toContainText('Todavía no vio todas las páginas')
  const next = (await onwards.innerText()).at(-1)
  await onwards.click()
  await expect(page).toHaveURL(new RegExp(`\\?zoom=125&pagina=${next}#lector$`))
  await expect(page.getByRole('figure', { name: `Página ${next} de 8` })).toBeInViewport()
  expect(await chosen(page)).toHaveLength(2)
  await expect(field('Contraseña de la clave privada')).toHaveValue(notary.keyPassword)
})

test('signing page: the text of the document opens in another tab once an e.firma was chosen', async ({
  page,
  context,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed()
  const notary = await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await choose(page, notary)
  const opened = context.waitForEvent('page')
  await inMain(page).link('Leer como texto').click()
  await expect((await opened).getByRole('heading', { level: 1 })).toHaveText('Texto del documento')
  expect(await chosen(page)).toHaveLength(2)
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}/sign`)
})

test('signing page: the decision about pictures of the pages keeps a chosen e.firma', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(aPdf(8))
  const { firstName, lastName } = person('titular')
  const asked = { colleague: `${firstName} ${lastName}`, step: 1 }
  await openSession(demo.origin, person('CLERK'), [deed], [asked])
  const notary = await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign?pagina=4`)
  const { main, field, button } = inMain(page)
  const consent = main.getByLabel(/^Consiento que cualquier persona/)
  await choose(page, notary)
  await consent.check()
  await button('Guardar mi decisión').click()
  await expect(main.getByRole('alert')).toHaveText('Su decisión quedó registrada.')
  expect(await chosen(page)).toHaveLength(2)
  await expect(field('Contraseña de la clave privada')).toHaveValue(notary.keyPassword)
  await expect(consent).toBeChecked()
  // The form that came with the answer works like the first one.
  await consent.uncheck()
  await button('Guardar mi decisión').click()
  await expect(main.getByRole('alert')).toHaveText('Su decisión quedó registrada.')
  await expect(consent).not.toBeChecked()
  expect(await chosen(page)).toHaveLength(2)
})
