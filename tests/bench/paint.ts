import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from '@playwright/test'
import { newVisitor, openBrowser } from './browser.ts'
import { startDemoServer } from './demo-server.ts'
import { type Figure, median } from './figures.ts'
import { cookiesFrom, findDocuments } from './office-visitor.ts'

const section = 'Primera visita con equipo lento (procesador 6×, 150 ms, 1.6 Mbit/s)'
const ROUNDS = 7
const PAINT_LIMIT_MS = 500
/** Of the largest part of the page for signing: the picture of the first page. */
const LARGEST_LIMIT_MS = 1_400

/** When a slow machine on a slow line shows a page, and when a person can use it. */
export async function measurePaint(folder: string): Promise<Figure[]> {
  const server = await startDemoServer(folder)
  const browser = await openBrowser()
  const empty = await serveEmptyPage()
  try {
    const { signed, draft, cookie } = await findDocuments(server)
    const pages = {
      'empty page': { url: empty.url, control: 'input' },
      '/login': { url: `${server.origin}/login`, control: 'input[type=email]' },
      '/': { url: `${server.origin}/`, control: 'input:not([type=hidden])' },
      '/verify/{uuid}': { url: `${server.origin}/verify/${signed}`, control: 'a[href], summary' },
    }
    const seen: Record<string, Seen[]> = {}
    // The first round warms browser and server up and is not counted.
    for (let round = 0; round <= ROUNDS; round++)
      for (const [name, { url, control }] of Object.entries(pages)) {
        const one = await visit(browser, url, control)
        if (round > 0) seen[name] = [...(seen[name] ?? []), one]
      }
    const signing = `${server.origin}/dashboard/documents/${draft}/sign`
    const largest: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const one = await largestPaint(browser, signing, cookiesFrom(cookie, server.origin))
      if (round > 0) largest.push(one)
    }
    return [
      ...figuresOf(seen),
      {
        section,
        name: 'the page of signing: largest paint',
        value: median(largest),
        unit: 'ms',
        atMost: LARGEST_LIMIT_MS,
      },
    ]
  } finally {
    empty.close()
    await browser.close()
    await server.stop()
  }
}

type Seen = { painted: number; usable: number }

async function visit(browser: Browser, url: string, control: string): Promise<Seen> {
  const { page, context } = await slowVisitor(browser)
  await page.goto(url, { waitUntil: 'load' })
  await page.locator(control).first().focus()
  if (control.startsWith('input')) {
    await page.keyboard.type('a')
    const typed = await page.locator(control).first().inputValue()
    if (typed !== 'a') throw new Error(`${url}: what was typed did not arrive`)
  }
  const seen = await page.evaluate(async () => {
    const paint = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    while (paint() === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
    const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const painted = paint() ?? Number.NaN
    // The page is complete and its controls accept input.
    return { painted, usable: Math.max(painted, document?.domContentLoadedEventEnd ?? Number.NaN) }
  })
  await context.close()
  return seen
}

async function slowVisitor(browser: Browser, cookies: Parameters<typeof newVisitor>[1] = []) {
  const visitor = await newVisitor(browser, cookies)
  const { devtools } = visitor
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  return visitor
}

/** When the largest part of the first screen was there, in milliseconds. */
async function largestPaint(
  browser: Browser,
  url: string,
  cookies: Parameters<typeof newVisitor>[1],
): Promise<number> {
  const { page, context } = await slowVisitor(browser, cookies)
  await page.goto(url, { waitUntil: 'networkidle' })
  const painted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          const last = list.getEntries().at(-1)
          if (last) resolve(last.startTime)
        })
        observer.observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
  await context.close()
  return painted
}

function figuresOf(seen: Record<string, Seen[]>): Figure[] {
  const { 'empty page': floor = [], ...pages } = seen
  const middle = (what: keyof Seen, visits: Seen[]) => median(visits.map((one) => one[what]))
  const milliseconds = (name: string, value: number): Figure => ({
    section,
    name,
    value,
    unit: 'ms',
  })
  const painted = middle('painted', floor)
  return [
    milliseconds('empty page: first paint', painted),
    ...Object.entries(pages).flatMap(([name, visits]) => [
      {
        ...milliseconds(`${name}: first paint`, middle('painted', visits)),
        atMost: PAINT_LIMIT_MS,
      },
      milliseconds(`${name}: after that of the empty page`, middle('painted', visits) - painted),
      {
        section,
        name: `${name}: to that of the empty page`,
        value: middle('painted', visits) / painted,
        unit: '×' as const,
      },
      { ...milliseconds(`${name}: usable`, middle('usable', visits)), atMost: PAINT_LIMIT_MS },
    ]),
  ]
}

async function serveEmptyPage(): Promise<{ url: string; close(): void }> {
  const html =
    '<!doctype html><html lang="es"><meta charset="utf-8"><title>.</title><link rel="icon" href="data:,"><input>.</html>'
  const server = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
