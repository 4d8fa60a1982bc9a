import { createHash } from 'node:crypto'
import { mkdirSync, openAsBlob } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { newVisitor, openBrowser } from './browser.ts'
import { type DemoServer, startDemoServer } from './demo-server.ts'
import { type Figure, median } from './figures.ts'
import { writeScannedPdf } from './large-pdf.ts'
import { cookiesFrom, findDocuments, tokenIn } from './office-visitor.ts'

const section = 'Leer un escaneo (Letter, 32 páginas)'
const PAGES = 32
const MB = 1024 * 1024
const STEPS = 7
/** The next page of a document that was just opened: pictures are made then. */
const NEXT_LIMIT_MS = 1_000

/** Pixels along a side of each scanned page: one file as offices have them, and one near the largest upload. */
const SCANS = { '32 MB': 1_024, '185 MB': 2_460 }

/** How long a reader waits for the next page, its picture included, which has to be made first. */
export async function measureReading(folder: string): Promise<Figure[]> {
  mkdirSync(folder, { recursive: true })
  const server = await startDemoServer(path.join(folder, 'data'))
  const browser = await openBrowser()
  try {
    const { cookie } = await findDocuments(server)
    const hash = median(Array.from({ length: 3 }, timeOfHash))
    const figures: Figure[] = []
    for (const [name, side] of Object.entries(SCANS)) {
      const file = path.join(folder, 'scan.pdf')
      writeScannedPdf(file, PAGES, side)
      const id = await upload(server, cookie, file, `Escaneo ${name}`)
      const { page, context } = await newVisitor(browser, cookiesFrom(cookie, server.origin))
      await page.goto(`${server.origin}/dashboard/documents/${id}`, { waitUntil: 'networkidle' })
      const waits = await timesOfNext(page)
      await context.close()
      const next = median(waits)
      figures.push(
        { section, name: `${name}: next page`, value: next, unit: 'ms', atMost: NEXT_LIMIT_MS },
        { section, name: `${name}: slowest`, value: Math.max(...waits), unit: 'ms' },
        { section, name: `${name}: to SHA-256 of 100 MB`, value: next / hash, unit: '×' },
      )
    }
    return figures
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** From the click to the first picture of the next pages, in milliseconds, each time. */
async function timesOfNext(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let step = 0; step < STEPS; step += 1) {
    const first = Number(await page.locator('figure[data-page]').first().getAttribute('data-page'))
    const next = page.locator('a[data-part=next]').first()
    const start = performance.now()
    await next.click()
    await page.waitForFunction((before) => {
      const figure = document.querySelector<HTMLElement>('figure[data-page]')
      const picture = figure?.querySelector('img')
      return Number(figure?.dataset.page) > before && picture?.complete && picture.naturalWidth > 0
    }, first)
    times.push(performance.now() - start)
    // A reader looks at the page; meanwhile the pictures of the next ones are fetched.
    await page.waitForLoadState('networkidle')
  }
  return times
}

async function upload(
  { origin }: DemoServer,
  cookie: string,
  file: string,
  title: string,
): Promise<string> {
  const address = `${origin}/dashboard/documents/new`
  const form = await fetch(address, { headers: { cookie } })
  const body = new FormData()
  body.set('csrf', tokenIn(await form.text()))
  body.set('title', title)
  body.set('kind', 'other')
  body.set('file', await openAsBlob(file, { type: 'application/pdf' }), 'escaneo.pdf')
  const answer = await fetch(address, {
    method: 'POST',
    headers: { cookie, origin },
    body,
    redirect: 'manual',
  })
  const [, id] =
    /\/dashboard\/documents\/([0-9a-f-]{36})/.exec(answer.headers.get('Location') ?? '') ?? []
  if (id) return id
  throw new Error(`the upload was answered with ${answer.status}`)
}

/** The floor: one SHA-256 of 100 MB, in milliseconds. */
function timeOfHash(): number {
  const bytes = Buffer.alloc(100 * MB, 1)
  const start = performance.now()
  createHash('sha256').update(bytes).digest()
  return performance.now() - start
}
