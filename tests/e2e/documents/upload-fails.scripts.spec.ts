import type { Page } from '@playwright/test'
import { openPage } from '#tests/e2e/support/client-state.ts'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { test } from '#tests/e2e/support/late-user.ts'

/* An upload that fails leaves the chosen files in its form. */

const UPLOAD = '/dashboard/documents/new'
const CALLS = '**/dashboard/documents/uploads**'
const PARTS = '**/dashboard/documents/uploads/*/parts/*'

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
  await page.route(CALLS, (route) => route.abort())
  await button('Subir').click()
  const said = page.getByText('Error de conexión. Por favor, verifique su conexión a internet.')
  await expect(said.filter({ visible: true }).first()).toBeVisible()
  await expect(field('Título')).toHaveValue(title)
  expect(await filesIn(page)).toEqual(['poder.pdf'])
  await page.unroute(CALLS)
  // The click does not wait for the next try.
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

test('upload of several: one that the server cannot take stops there, and the next click goes on', async ({
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
  await page.route(PARTS, (route) => {
    sent += 1
    return sent === 1 ? route.continue() : route.fulfill({ status: 500, body: 'of a proxy' })
  })
  await button('Subir').click()
  const said = page.getByText('Error del servidor. Por favor, intente más tarde.')
  await expect(said.filter({ visible: true }).first()).toBeVisible()
  await expect(main.getByRole('link', { name: `Ver ${names[0]}` })).toBeVisible()
  expect(await filesIn(page)).toEqual([`${names[1]}.pdf`])
  await expect(main).toContainText('En pausa')
  await page.unroute(PARTS)
  await button('Continuar').click()
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

test('upload after the session ended: the page keeps the file, and goes on after sign-in in another tab', async ({
  page,
  late,
  context,
}) => {
  const { field, button, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, late)
  await expect(page).toHaveURL('/dashboard')
  await openPage(page, UPLOAD)
  const title = aTitle('Testamento')
  await field('Archivo PDF').setInputFiles(aFile('testamento.pdf', aPdf()))
  await field('Título').fill(title)
  late.endSessions()
  await button('Subir').click()
  await expect(main.getByRole('alert')).toContainText('Su sesión terminó.')
  const opened = context.waitForEvent('page')
  await main.getByRole('link', { name: 'Inicie sesión en otra pestaña' }).click()
  const other = await opened
  await signIn(other, late)
  await expect(other).toHaveURL('/dashboard')
  await button('Continuar').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
})

test('upload after another user signed in: refused, so that no document is made in the wrong name', async ({
  page,
  late,
  person,
  context,
}) => {
  const { field, button, main } = inMain(page)
  await page.goto('/login')
  await signIn(page, late)
  await expect(page).toHaveURL('/dashboard')
  await openPage(page, UPLOAD)
  await field('Archivo PDF').setInputFiles(aFile('testamento.pdf', aPdf()))
  late.endSessions()
  await button('Subir').click()
  await expect(main.getByRole('alert')).toContainText('Su sesión terminó.')
  const other = await context.newPage()
  await other.goto('/login')
  await signIn(other, person('CLERK'))
  await expect(other).toHaveURL('/dashboard')
  await button('Continuar').click()
  const said = page.getByText('La sesión abierta ahora es de otra persona.')
  await expect(said.filter({ visible: true }).first()).toBeVisible()
})

test('upload, double click: the files are sent once', async ({ page, signedInAs, faults }) => {
  const { field, button } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  let sent = 0
  await page.route(CALLS, async (route) => {
    sent += 1
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.fulfill({ status: 500, body: '' })
  })
  await field('Título').fill('Poder')
  await field('Archivo PDF').setInputFiles(aFile('poder.pdf', aPdf()))
  await button('Subir').dblclick()
  const said = page.getByText('Error del servidor. Por favor, intente más tarde.')
  await expect(said.filter({ visible: true }).first()).toBeVisible()
  expect(sent).toBe(1)
  faults.length = 0
})
