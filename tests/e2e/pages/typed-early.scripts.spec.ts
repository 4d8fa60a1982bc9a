import type { Page } from '@playwright/test'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

/** Holds the scripts back, as a slow machine would. @returns a function that releases them */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const { promise: scriptsCome, resolve: letScriptsCome } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scriptsCome
    await route.continue()
  })
  return async () => {
    letScriptsCome()
    // React leaves its mark on each element that it has taken over.
    const isTakenOver = () =>
      [...document.querySelectorAll('main :is(textarea, select)')].every((field) =>
        Object.keys(field).some((key) => key.startsWith('__reactFiber')),
      )
    await page.waitForFunction(isTakenOver)
  }
}

test('hydration keeps text that was typed before', async ({ page, signedInAs }) => {
  const { field, main } = inMain(page)
  await signedInAs('administrador')
  const letScriptsCome = await holdScripts(page)
  await page.goto('/dashboard/settings/privacy', { waitUntil: 'commit' })
  await field('Aviso integral').fill('# Escrito antes')
  await letScriptsCome()
  await expect(field('Aviso integral')).toHaveValue('# Escrito antes')
  await expect(field('Aviso simplificado')).toHaveValue(/es responsable del tratamiento/)
  await field('Aviso integral').pressSequentially(' y después')
  await main.getByRole('heading', { level: 1 }).click()
  await expect(field('Aviso integral')).toHaveValue('# Escrito antes y después')
})

test('hydration keeps a selection that was made before', async ({ page, signedInAs }) => {
  const { field } = inMain(page)
  await signedInAs('administrador')
  const letScriptsCome = await holdScripts(page)
  await page.goto('/dashboard/settings/privacy', { waitUntil: 'commit' })
  await field('Aviso integral').selectText()
  await letScriptsCome()
  await page.keyboard.insertText('# Escrito después')
  await expect(field('Aviso integral')).toHaveValue('# Escrito después')
})

test('hydration keeps an option that was chosen before', async ({ page, signedInAs }) => {
  const { field } = inMain(page)
  await signedInAs('CLERK')
  const letScriptsCome = await holdScripts(page)
  await page.goto('/dashboard/documents/new', { waitUntil: 'commit' })
  await field('Título').fill('Escrito antes')
  await field('Tipo de documento').selectOption({ label: 'Carta' })
  await letScriptsCome()
  await expect(field('Título')).toHaveValue('Escrito antes')
  await expect(field('Tipo de documento').locator('option:checked')).toHaveText('Carta')
})
