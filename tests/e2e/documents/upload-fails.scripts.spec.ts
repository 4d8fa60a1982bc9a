import type { Page } from '@playwright/test'
import { openPage } from '#tests/e2e/support/client-state.ts'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { test } from '#tests/e2e/support/late-user.ts'

/* An upload that fails leaves the chosen files in its form. */

const UPLOAD = '/dashboard/documents/new'

const filesIn = (page: Page) =>
  inMain(page)
    .field('Archivo PDF')
    .evaluate((field) => [...((field as HTMLInputElement).files ?? [])].map(({ name }) => name))

test('upload without a connection: the files stay in the form, and the next click sends them', async ({
  page,
  signedInAs,
  faults,
}) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  const title = aTitle('Poder')
  await field('Título').fill(title)
  await field('Archivo PDF').setInputFiles(aFile('poder.pdf', aPdf()))
  await page.route(`**${UPLOAD}`, (route) => route.abort())
  await button('Subir').click()
  const said = page.getByText('Error de conexión. Por favor, verifique su conexión a internet.')
  await expect(said.filter({ visible: true }).first()).toBeVisible()
  await expect(field('Título')).toHaveValue(title)
  expect(await filesIn(page)).toEqual(['poder.pdf'])
  await page.unroute(`**${UPLOAD}`)
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
  faults.length = 0
})

test('upload of a refused file: its field says why, has the focus and keeps the file', async ({
  page,
  signedInAs,
}) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  await field('Título').fill('Carta')
  await field('Archivo PDF').setInputFiles(aFile('carta.pdf', 'Estimado licenciado'))
  await button('Subir').click()
  await expect(main).toContainText('El archivo no es un PDF. Elija el PDF del documento.')
  await expect(field('Archivo PDF')).toBeFocused()
  await expect(field('Título')).toHaveValue('Carta')
  expect(await filesIn(page)).toEqual(['carta.pdf'])
  // And once more, with the right file.
  await field('Archivo PDF').setInputFiles(aFile('carta.pdf', aPdf()))
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Carta')
})

test('upload of several without a connection: the next click sends those that were not stored', async ({
  page,
  signedInAs,
  faults,
}) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  const names = [aTitle('uno'), aTitle('dos')]
  await field('Archivo PDF').setInputFiles(
    names.map((name) => aFile(`${name}.pdf`, aPdf())) as never[],
  )
  let sent = 0
  await page.route(`**${UPLOAD}`, (route) => {
    sent += 1
    return sent === 1 ? route.continue() : route.abort()
  })
  await button('Subir').click()
  const said = page.getByText('Error de conexión. Por favor, verifique su conexión a internet.')
  await expect(said.filter({ visible: true }).first()).toBeVisible()
  await expect(main.getByRole('link', { name: `Ver ${names[0]}` })).toBeVisible()
  expect(await filesIn(page)).toEqual([`${names[1]}.pdf`])
  await page.unroute(`**${UPLOAD}`)
  await button('Subir').click()
  await expect(main.getByRole('link', { name: `Ver ${names[1]}` })).toBeVisible()
  await expect(field(`Título de ${names[1]}.pdf`)).toHaveCount(0)
  faults.length = 0
})

test('upload of several: those that were stored leave the form, so that they are not sent again', async ({
  page,
  signedInAs,
}) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  const files = ['poder.pdf', 'acta.pdf'].map((name) => aFile(name, aPdf()))
  await field('Archivo PDF').setInputFiles(files as never[])
  await button('Subir').click()
  await expect(main.getByRole('alert')).toContainText('Quedaron guardados 2 documentos.')
  expect(await filesIn(page)).toEqual([])
})

test('upload after the session ended: what was typed is there after sign-in, the files are asked for', async ({
  page,
  late,
}) => {
  const { field, button } = inMain(page)
  await page.goto('/login')
  await signIn(page, late)
  await expect(page).toHaveURL('/dashboard')
  await openPage(page, UPLOAD)
  await field('Título').fill('Testamento')
  await field('Archivo PDF').setInputFiles(aFile('testamento.pdf', aPdf()))
  late.endSessions()
  await button('Subir').click()
  await expect(page).toHaveURL(/\/login\?returnUrl=.*conservado/)
  await signIn(page, late)
  await expect(page.getByText('Los archivos, las contraseñas y los códigos')).toBeVisible()
  await expect(field('Título')).toHaveValue('Testamento')
})

test('upload, double click: the files are sent once', async ({ page, signedInAs, faults }) => {
  const { field, button } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  let sent = 0
  await page.route(`**${UPLOAD}`, async (route) => {
    sent += 1
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.fulfill({ status: 502, body: '' })
  })
  await field('Título').fill('Poder')
  await field('Archivo PDF').setInputFiles(aFile('poder.pdf', aPdf()))
  await button('Subir').dblclick()
  const said = page.getByText('Ocurrió un error inesperado. Por favor, intente nuevamente.')
  await expect(said.filter({ visible: true }).first()).toBeVisible()
  expect(sent).toBe(1)
  faults.length = 0
})
