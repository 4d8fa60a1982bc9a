import type { Browser } from '@playwright/test'
import { newVisitor, openBrowser } from './browser.ts'
import { startDemoServer } from './demo-server.ts'
import { type Figure, median } from './figures.ts'
import { cookiesFrom, findDocuments } from './office-visitor.ts'

const section = 'Panel, en la primera visita (procesador 6×, 150 ms, 1.6 Mbit/s)'
const ROUNDS = 7
const KB = 1024

/** The button that makes the side menu narrow. */
const HYDRATED = 'button[aria-expanded]'
const PAGES = ['/dashboard', '/dashboard/documents', '/dashboard/audit']

/** How many bytes the first visit to a page of the dashboard takes, and when React works there on a slow machine. */
export async function measureDashboard(folder: string): Promise<Figure[]> {
  const server = await startDemoServer(folder)
  const browser = await openBrowser()
  try {
    const { cookie } = await findDocuments(server)
    const cookies = cookiesFrom(cookie, server.origin)
    const figures: Figure[] = []
    for (const path of PAGES) {
      const visits: Visited[] = []
      // The first run warms browser and server up and is not counted.
      for (let round = 0; round <= ROUNDS; round++) {
        const one = await visit(browser, server.origin + path, cookies)
        if (round > 0) visits.push(one)
      }
      figures.push(
        {
          section,
          name: `${path}: first load`,
          value: median(visits.map(({ bytes }) => bytes)) / KB,
          unit: 'KB',
          atMost: 205,
        },
        {
          section,
          name: `${path}: hydrated`,
          value: median(visits.map(({ hydrated }) => hydrated)),
          unit: 'ms',
          ...(path === '/dashboard' && { atMost: 2000 }),
        },
      )
    }
    return figures
  } finally {
    await browser.close()
    await server.stop()
  }
}

type Visited = { bytes: number; hydrated: number }

async function visit(
  browser: Browser,
  url: string,
  cookies: ReturnType<typeof cookiesFrom>,
): Promise<Visited> {
  const { page, context, devtools } = await newVisitor(browser, cookies)
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.addInitScript(noteHydration, HYDRATED)
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.locator(HYDRATED).first().waitFor({ state: 'attached' })
  const hydrated = await page.evaluate(
    () => performance.getEntriesByName('hydrated')[0]?.startTime ?? Number.NaN,
  )
  await context.close()
  return { bytes, hydrated }
}

/** Marks the moment at which the button appears that only a hydrated page has. Runs in the page. */
function noteHydration(button: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(button)) return
    performance.mark('hydrated')
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}
