import { setTimeout as sleep } from 'node:timers/promises'
import puppeteer, {
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type Page,
} from 'puppeteer-core'
import { findProgram } from '#tests/support/machine.ts'

/* Firefox by WebDriver BiDi, the standard that it is driven by: Playwright drives only a Firefox of its own. */

const PATIENCE_MS = 60_000
const PAUSE_MS = 100

export async function startFirefox(): Promise<Browser> {
  const executablePath = findProgram('firefox-esr')
  if (!executablePath) throw new Error('Firefox is not installed: apt-get install firefox-esr')
  return await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    acceptInsecureCerts: false,
    // The window has the size: Firefox 140 does not know all that `setViewport` sends.
    args: ['--width=1280', '--height=900'],
    defaultViewport: null,
    extraPrefsFirefox: {
      'intl.accept_languages': 'es-MX',
      // Nothing but the server of the test is asked.
      'app.update.enabled': false,
      'browser.safebrowsing.malware.enabled': false,
      'browser.safebrowsing.phishing.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'services.settings.server': '',
    },
  })
}

/** A page of a window without cookies, and what its scripts threw or its policy refused. */
export async function newWindow(
  browser: Browser,
): Promise<{ page: Page; context: BrowserContext; faults: string[] }> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return { page, context, faults }
}

/** What a user does, by what they read. Each waits until it can be done. */
export function userOf(page: Page) {
  const find = (what: string, kind: Kind, name: string) =>
    until(`${kind} “${name}” ${what}`, async () => {
      const handle = await page.evaluateHandle(findVisible, kind, name)
      return handle.asElement() as ElementHandle<Element> | null
    })
  return {
    async open(address: string) {
      await page.goto(address, { waitUntil: 'load', timeout: PATIENCE_MS })
    },
    async fill(label: string, text: string) {
      const field = await find('to fill in', 'field', label)
      await field.evaluate((element) => (element as HTMLInputElement).select())
      await field.type(text)
    },
    async choose(label: string, ...files: string[]) {
      const field = await find('to choose files', 'field', label)
      await (field as ElementHandle<HTMLInputElement>).uploadFile(...files)
    },
    async tick(label: string) {
      await (await find('to tick', 'field', label)).click()
    },
    async press(name: string) {
      await (await find('to press', 'button', name)).click()
    },
    async follow(name: string) {
      await (await find('to follow', 'link', name)).click()
    },
    /** Waits until the main part of the page says this. */
    async reads(text: string) {
      await until(`“${text}” on the page`, () => page.evaluate(saysOnPage, text))
    },
    async isAt(path: RegExp) {
      await until(`an address like ${path}`, async () => path.test(new URL(page.url()).pathname))
    },
    text: (selector: string) =>
      until(`${selector} on the page`, () =>
        page.evaluate((css) => document.querySelector(css)?.textContent ?? null, selector),
      ),
  }
}

type Kind = 'field' | 'button' | 'link'

/** Runs in the page. */
function findVisible(kind: Kind, name: string): Element | null {
  const main = document.querySelector('main')
  const isVisible = (element: Element) => element.getClientRects().length > 0
  // A large button has its name in one line, and help in another.
  const isNamed = (element: Element) =>
    [element, ...element.querySelectorAll('*')].some((one) => one.textContent.trim() === name)
  const named = (selector: string) =>
    [...(main?.querySelectorAll(selector) ?? [])].filter(
      (element) => isNamed(element) && isVisible(element),
    )
  if (kind === 'link') return named('a')[0] ?? null
  if (kind === 'button') return named('button:not([disabled])')[0] ?? null
  const [label] = named('label') as HTMLLabelElement[]
  return label?.control ?? null
}

/** Runs in the page. */
function saysOnPage(text: string): boolean {
  return document.querySelector('main')?.innerText.includes(text) ?? false
}

/** Asks again while the page is on its way to another. */
async function until<T>(what: string, find: () => Promise<T | null | false>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  let last: unknown
  while (performance.now() < deadline) {
    try {
      const found = await find()
      if (found) return found
    } catch (error) {
      last = error
    }
    await sleep(PAUSE_MS)
  }
  throw new Error(`no ${what}`, { cause: last })
}
