import type { Browser, Page } from '@playwright/test'
import type { Demo } from '#tests/support/processes/demo-server.ts'
import { expect, inMain } from './fixtures.ts'

/** Another browser, without cookies. */
export async function anotherBrowser(
  browser: Browser,
  demo: Demo,
  hasScripts: boolean,
): Promise<Page> {
  const options = { baseURL: demo.origin, javaScriptEnabled: hasScripts, locale: 'es-MX' }
  const context = await browser.newContext(options)
  return await context.newPage()
}

/** Opens the link as it stands in a mail or behind a QR code. */
export async function openLink(page: Page, address: string, hasScripts: boolean) {
  const { field, button } = inMain(page)
  await page.goto(address)
  if (hasScripts) {
    await expect(field('Código del enlace')).not.toHaveValue('')
    await expect(page).not.toHaveURL(/#/)
  } else await field('Código del enlace').fill(new URL(address).hash.slice(1))
  await button('Abrir mis documentos').click()
}

/** To the aviso de privacidad. */
export async function agree(page: Page) {
  await page.getByRole('checkbox').check()
  const accept = inMain(page).button('Acepto y continúo')
  await accept.click()
  await expect(accept).toHaveCount(0)
}
