import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Pixels } from '#server/adapters/pdf-work/palette.ts'
import { encodePng } from '#server/adapters/pdf-work/png.ts'
import type { Demo } from '#tests/support/processes/demo-server.ts'
import { withFewColours } from './few-colours.ts'
import { findUser, OFFICE_BROWSER, type PicturedOffice } from './office.ts'
import type { Picture } from './pictures.ts'
import { speakSpanish } from './spanish-controls.ts'

/** Around a part of a page, in CSS pixels. */
const MARGIN = 24

/** Draws pictures of the office as PNG files. Each user signs in once. */
export function drawingIn(browser: Browser, office: PicturedOffice) {
  const sessions = new Map<string, Promise<BrowserContext>>()
  const contextOf = (who: string | null) => {
    if (who === null) return newContext(browser, office.demo)
    const session = sessions.get(who) ?? signedIn(browser, office.demo, who)
    sessions.set(who, session)
    return session
  }
  return async (picture: Picture): Promise<Uint8Array> => {
    const page = await (await contextOf(picture.as)).newPage()
    await page.setViewportSize(picture.window)
    await picture.show(page, office)
    await page.waitForLoadState('networkidle')
    await speakSpanish(page)
    const png = await shot(page, picture)
    await page.close()
    return encodePng(withFewColours(await decoded(browser, png)))
  }
}

const newContext = (browser: Browser, { origin }: Demo) =>
  browser.newContext({
    baseURL: origin,
    userAgent: OFFICE_BROWSER,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })

/** Signed in through the page. */
async function signedIn(browser: Browser, demo: Demo, who: string): Promise<BrowserContext> {
  const { email, password } = findUser(demo, who)
  const context = await newContext(browser, demo)
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Correo electrónico', { exact: true }).fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Iniciar Sesión' }).click()
  await page.waitForURL('**/dashboard')
  await page.close()
  return context
}

async function shot(page: Page, { window, part }: Picture): Promise<Buffer> {
  const box = await part?.(page).boundingBox()
  const clip = box ? withMargin(box, window) : { x: 0, y: 0, ...window }
  return page.screenshot({ clip, animations: 'disabled', caret: 'hide', scale: 'css' })
}

type Box = { x: number; y: number; width: number; height: number }

/** The box with a margin, as far as the window has room. */
function withMargin(box: Box, window: { width: number; height: number }): Box {
  const x = Math.max(0, Math.floor(box.x - MARGIN))
  const y = Math.max(0, Math.floor(box.y - MARGIN))
  const right = Math.min(window.width, Math.ceil(box.x + box.width + MARGIN))
  const bottom = Math.min(window.height, Math.ceil(box.y + box.height + MARGIN))
  return { x, y, width: right - x, height: bottom - y }
}

/** A browser decodes its own file, in an empty page: those of the office allow no scripts of others. */
async function decoded(browser: Browser, png: Buffer): Promise<Pixels> {
  const page = await browser.newPage()
  const pixels = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = picture
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    if (!canvas) throw new Error('no canvas')
    canvas.drawImage(picture, 0, 0)
    return { width, height, data: new Uint8Array(canvas.getImageData(0, 0, width, height).data) }
  }, png.toString('base64'))
  await page.close()
  return pixels
}
