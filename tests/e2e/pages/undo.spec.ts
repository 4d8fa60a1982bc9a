import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, inMain, messageOn, offerOn, signIn } from '#tests/e2e/support/fixtures.ts'
import { type Newcomer, test } from '#tests/e2e/support/newcomers.ts'

const TOO_LATE = 'Ya pasó el tiempo para deshacer.'

async function signInAs(page: Page, newcomer: Newcomer) {
  await page.goto('/login')
  await signIn(page, newcomer)
  await expect(page).toHaveURL('/dashboard')
}

/** Sends the form of the offer without the page. Returns the statuses, and what undoes. */
async function sentTwice(page: Page, origin: string, hasScripts: boolean) {
  const offer = page.locator(
    hasScripts ? 'section[aria-label="Avisos"] form' : 'main [role=alert] form',
  )
  const inputOf = (name: string) => offer.locator(`input[name=${name}]`).first().inputValue()
  const form = {
    csrf: await inputOf('csrf'),
    undo: await inputOf('undo'),
    returnUrl: await inputOf('returnUrl'),
  }
  const send = () =>
    page.request.post('/dashboard/undo', {
      ...{ form, maxRedirects: 0, headers: { Origin: origin } },
    })
  return (await Promise.all([send(), send()])).map((answer) => answer.status())
}

test('undo: a resolved alert is pending again, as it was', async ({
  page,
  rows,
  newcomer,
  hasScripts,
}) => {
  const { main, button } = inMain(page)
  await signInAs(page, newcomer)
  rows.change('delete from alerts where user_id = ?', newcomer.id)
  const at = Date.now() - 60_000
  rows.change(
    `insert into alerts (id, office_id, user_id, kind, severity, subject_kind, facts, occasion, at, occurrences, first_at, state, state_since)
     select ?, office_id, id, 'password-changed', 'warning', 'nothing', '{}', ?, ?, 1, ?, 'open', ? from users where id = ?`,
    ...[randomUUID(), randomUUID(), at, at, at, newcomer.id],
  )
  const row = () => rows.all('select * from alerts where user_id = ?', newcomer.id)[0]
  const before = row()
  await page.goto('/dashboard/alerts')
  await button('Marcar como atendida').click()
  await expect(messageOn(page, hasScripts).last()).toContainText('La alerta quedó como atendida.')
  await expect(main.locator('li[data-state]')).toHaveCount(0)
  await offerOn(page, hasScripts).click()
  await expect(messageOn(page, hasScripts).last()).toHaveText('La alerta está pendiente de nuevo.')
  await expect(main.locator('li[data-state]')).toHaveCount(1)
  await expect(offerOn(page, hasScripts)).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard/alerts')
  expect(row()).toEqual(before)
})

test('undo: a removed view is there again, once, however often it is sent', async ({
  page,
  demo,
  rows,
  newcomer,
  hasScripts,
}) => {
  const { main, field, button } = inMain(page)
  await signInAs(page, newcomer)
  const name = `Poderes ${randomUUID().slice(0, 8)}`
  await page.goto('/dashboard/documents/views?kind=will')
  await field('Nombre de la vista').fill(name)
  await button('Guardar vista').click()
  await expect(page).toHaveURL(/\/dashboard\/documents\?/)
  const stored = () => rows.all('select * from document_views where name = ?', name)
  const before = stored()
  expect(before).toHaveLength(1)

  await page.goto('/dashboard/documents/views')
  await button(`Eliminar la vista ${name}`).click()
  await expect(messageOn(page, hasScripts).last()).toContainText('La vista se eliminó.')
  expect(stored()).toEqual([])
  await offerOn(page, hasScripts).click()
  await expect(messageOn(page, hasScripts).last()).toHaveText('La vista está guardada de nuevo.')
  await expect(main.getByRole('link', { name })).toBeVisible()
  expect(stored()).toEqual(before)

  await button(`Eliminar la vista ${name}`).click()
  await expect(offerOn(page, hasScripts)).toBeVisible()
  expect(await sentTwice(page, demo.origin, hasScripts)).toEqual([303, 303])
  expect(stored()).toEqual(before)
  await page.goto('/dashboard/documents/views')
  await button(`Eliminar la vista ${name}`).click()
  await expect(main.getByRole('link', { name })).toHaveCount(0)
})

test('undo: is offered for ten seconds, and says so when it comes too late', async ({
  page,
  rows,
  newcomer,
  hasScripts,
}) => {
  const { field, button } = inMain(page)
  await signInAs(page, newcomer)
  const name = `Cartas ${randomUUID().slice(0, 8)}`
  await page.goto('/dashboard/documents/views?kind=letter')
  await field('Nombre de la vista').fill(name)
  await button('Guardar vista').click()
  await expect(page).toHaveURL(/\/dashboard\/documents\?/)
  await page.goto('/dashboard/documents/views')
  await button(`Eliminar la vista ${name}`).click()
  const offer = offerOn(page, hasScripts)
  await expect(offer).toBeVisible()
  if (hasScripts) {
    await page.waitForTimeout(8_000)
    await expect(offer).toBeVisible()
    return await expect(offer).toHaveCount(0, { timeout: 4_000 })
  }
  await page.waitForTimeout(20_500)
  await offer.click()
  await expect(messageOn(page, hasScripts).last()).toHaveText(TOO_LATE)
  expect(rows.all('select * from document_views where name = ?', name)).toEqual([])
})

test('undo: brings signers and documents back into a draft session, and a party into the catalogue', async ({
  page,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  const { main, field, button, link } = inMain(page)
  const [one, two] = [await uploadedDeed(), await uploadedDeed()]
  await signedInAs('CLERK')
  await page.goto(`/dashboard/signing/new?document=${one.id}&document=${two.id}`)
  await field('Título').fill(`Sesión de ${one.title}`)
  await button('Crear sesión').click()
  await expect(page).toHaveURL(/\/dashboard\/signing\/[0-9a-f-]{36}$/)
  const outside = main.locator('details', { hasText: 'Agregar a una persona externa' })
  await outside.locator('summary').click()
  const name = `Zoila Téllez ${hasScripts ? 'Ríos' : 'Lara'}`
  await outside.getByLabel('Nombre completo').fill(name)
  await outside.getByLabel('RFC').fill(hasScripts ? 'TERZ800101AB1' : 'TELZ800101AB2')
  await outside.getByLabel('Carácter declarado').fill('Compradora')
  await outside.getByRole('button', { name: 'Agregar firmante externo' }).click()
  const signer = main.getByRole('listitem').filter({ hasText: name })
  await expect(signer).toBeVisible()

  await signer.getByRole('button', { name: 'Quitar firmante' }).click()
  await expect(signer).toHaveCount(0)
  await offerOn(page, hasScripts).click()
  await expect(messageOn(page, hasScripts).last()).toHaveText(
    'El firmante está de nuevo en la sesión.',
  )
  await expect(signer).toBeVisible()

  await button(`Quitar ${one.title}`).click()
  await expect(link(one.title)).toHaveCount(0)
  await offerOn(page, hasScripts).click()
  await expect(messageOn(page, hasScripts).last()).toHaveText(
    'El documento está de nuevo en la sesión.',
  )
  await expect(link(one.title)).toBeVisible()

  await page.goto('/dashboard/signing/parties')
  await link(name).click()
  await button('Eliminar del catálogo').click()
  await expect(page).toHaveURL('/dashboard/signing/parties')
  await expect(link(name)).toHaveCount(0)
  await offerOn(page, hasScripts).click()
  await expect(messageOn(page, hasScripts).last()).toHaveText(
    'La parte está de nuevo en el catálogo.',
  )
  await expect(link(name)).toBeVisible()
})
