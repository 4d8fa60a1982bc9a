import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
} from '@playwright/test'
import { prepareBrowser } from '#tests/support/browser.ts'

/** As an office machine shows itself; a headless browser would name itself otherwise. */
const DESKTOP = {
  viewport: { width: 1366, height: 768 },
  locale: 'es-MX',
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
}

export async function openBrowser(): Promise<Browser> {
  const found = prepareBrowser({ mayInstall: true })
  if (!found) throw new Error('no Chromium was found: apt-get install chromium-headless-shell')
  const { path: executablePath } = found
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  })
}

export type Visit = { page: Page; context: BrowserContext; devtools: CDPSession }

/** A fresh browser: no cache, no cookies but the given ones. */
export async function newVisitor(
  browser: Browser,
  cookies: readonly { name: string; value: string; url: string }[] = [],
): Promise<Visit> {
  const context = await browser.newContext(DESKTOP)
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, secure: true, httpOnly: true })))
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  return { page, context, devtools }
}
