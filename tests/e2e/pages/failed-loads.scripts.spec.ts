import type { Page } from '@playwright/test'
import { openPage, stopClock } from '#tests/e2e/support/client-state.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'

/* A failed load shows a toast for five seconds, and the dashboard stays. */

const SENTENCES = [
  ['abort', 'Error de conexión. Por favor, verifique su conexión a internet.', 'error'],
  [403, 'No tiene permisos para realizar esta acción.', 'warning'],
  [404, 'El recurso solicitado no fue encontrado.', 'warning'],
  [500, 'Error del servidor. Por favor, intente más tarde.', 'error'],
  [503, 'Ocurrió un error inesperado. Por favor, intente nuevamente.', 'error'],
] as const

const news = (page: Page) => page.getByRole('region', { name: 'Avisos' }).locator('p')
const menu = (page: Page) => page.getByRole('link', { name: 'Auditoría' }).first()

async function fail(page: Page, with_: 'abort' | number): Promise<void> {
  await page.route('**/*.data*', (route) =>
    with_ === 'abort' ? route.abort() : route.fulfill({ status: with_, body: 'no' }),
  )
}

for (const [fault, sentence] of SENTENCES)
  test(`client navigation that fails with ${fault}: the current page stays`, async ({
    page,
    signedInAs,
    faults,
  }) => {
    await signedInAs('ADMIN')
    await stopClock(page)
    await openPage(page, '/dashboard/users')
    await page.getByLabel('Buscar por nombre').fill('a medias')
    await fail(page, fault)
    await menu(page).click()
    await expect(news(page)).toHaveText(sentence)
    await expect(page).toHaveURL(/\/dashboard\/users$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Usuarios')
    await expect(page.getByLabel('Buscar por nombre')).toHaveValue('a medias')
    await expect(page.getByRole('status')).toHaveText('')
    await page.clock.runFor(5_000)
    await expect(news(page)).toHaveCount(0)
    await page.unroute('**/*.data*')
    await menu(page).click()
    await expect(page).toHaveURL(/\/dashboard\/audit$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Auditoría')
    faults.length = 0
  })

test('client navigation: after going back the error shows inside the shell with a retry link', async ({
  page,
  signedInAs,
  faults,
}) => {
  await signedInAs('ADMIN')
  await openPage(page, '/dashboard/users')
  await menu(page).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Auditoría')
  await fail(page, 'abort')
  await page.goBack()
  await expect(page.getByRole('alert')).toHaveText(SENTENCES[0][1])
  await expect(page).toHaveURL(/\/dashboard\/users$/)
  await expect(page.getByText('Notario:')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Iniciar Sesión' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Intentar de nuevo' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Usuarios')
  faults.length = 0
})

test('client form that cannot be sent: keeps the input', async ({ page, signedInAs, faults }) => {
  await signedInAs('ADMIN')
  await openPage(page, '/dashboard/users')
  await page.getByRole('link', { name: 'Auxiliar' }).or(page.locator('tbody a')).last().click()
  await page.getByText('Suspender la cuenta').click()
  const reason = page.getByLabel('Motivo').last()
  await reason.fill('Termina su contrato este mes')
  await fail(page, 'abort')
  await page.getByRole('button', { name: /^Suspender/ }).click()
  await expect(news(page)).toHaveText(SENTENCES[0][1])
  await expect(reason).toHaveValue('Termina su contrato este mes')
  await expect(page.getByText('Notario:')).toBeVisible()
  faults.length = 0
})

test('page left open too long: offers to reload', async ({ page, signedInAs, faults }) => {
  await signedInAs('ADMIN')
  await openPage(page, '/dashboard/users')
  await page.locator('tbody a').last().click()
  await page.getByText('Suspender la cuenta').click()
  await page.getByLabel('Motivo').last().fill('Termina su contrato este mes')
  for (const field of await page.locator('input[name=csrf]').all())
    await field.evaluate((input: HTMLInputElement) => {
      input.value = 'of-yesterday'
    })
  await page.getByRole('button', { name: /^Suspender/ }).click()
  await expect(page.getByRole('alert')).toContainText('La página venció')
  await expect(page.getByText('Notario:')).toBeVisible()
  await page.getByRole('link', { name: 'Recargar la página' }).click()
  await expect(page.getByText('Suspender la cuenta')).toBeVisible()
  faults.length = 0
})
