import type { Page } from '@playwright/test'
import type { DemoUser } from '#tests/support/demo-server.ts'
import { expect, inMain, newsOn, signIn } from './story.ts'

/** The administrator decides, on the page, that whoever signs must show that they are there. */
export async function askForPresence(page: Page, administrator: DemoUser, hasScripts: boolean) {
  const { field, button, link } = inMain(page)
  await page.goto('/login')
  await signIn(page, administrator)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/dashboard/settings')
  await link('Cambiar la presencia antes de firmar').click()
  await field('Presencia antes de firmar').selectOption('required')
  await button('Guardar').click()
  await expect(page).toHaveURL('/dashboard/settings')
  await expect(newsOn(page, hasScripts)).toHaveText('La política de presencia se guardó.')
  await expect(inMain(page).main).toContainText('Se pide una llave de seguridad o un código')
  await page.context().clearCookies()
}

/** What the document page says about the presence behind its signatures, and the file of its evidence. */
export async function evidenceOn(page: Page, id: string) {
  const response = await page.request.get(`/dashboard/documents/${id}/presence.json`)
  expect(response.status()).toBe(200)
  expect(response.headers()['content-disposition']).toContain('presencia.json')
  return await response.text()
}
