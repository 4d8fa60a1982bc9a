import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import { newVisitor, openBrowser } from './browser.ts'
import { startDemoServer } from './demo-server.ts'
import type { Figure } from './figures.ts'
import { ROOT } from './measured-process.ts'
import { findDocuments } from './office-visitor.ts'

const section = 'Peso de las páginas, en la primera visita'
const KB = 1024

/** How many bytes travel for the pages that strangers meet, and for signing. */
export async function measurePageWeight(folder: string): Promise<Figure[]> {
  const server = await startDemoServer(folder)
  const browser = await openBrowser()
  try {
    const { signed, draft, cookie } = await findDocuments(server)
    const { origin } = server
    const figures: Figure[] = []
    for (const [name, address] of [
      ['/login', '/login'],
      ['/', '/'],
      ['/verify/{uuid}', `/verify/${signed}`],
    ] as const) {
      const weight = await weigh(browser, origin + address)
      figures.push(
        { ...kilobytes(name, weight.all), atMost: 24 },
        { ...kilobytes(`${name}: scripts`, weight.scripts), atMost: 5 },
      )
    }
    const cookies = cookie.split('; ').map((pair) => {
      const [key = '', value = ''] = pair.split('=', 2)
      return { name: key, value: decodeURIComponent(value), url: origin.replace('http:', 'https:') }
    })
    const address = `${origin}/dashboard/documents/${draft}/sign`
    const signing = await weigh(browser, address, cookies)
    figures.push(
      { ...kilobytes('the island of signing', islandBytes('sign-with-efirma')), atMost: 30 },
      kilobytes('the page of signing: everything', signing.all),
      kilobytes('the page of signing: scripts', signing.scripts),
    )
    return figures
  } finally {
    await browser.close()
    await server.stop()
  }
}

const kilobytes = (name: string, bytes: number): Figure => ({
  section,
  name,
  value: bytes / KB,
  unit: 'KB',
})

/** Bytes on the wire, headers included: everything, and of it the scripts, with those inside the page. */
async function weigh(
  browser: Browser,
  url: string,
  cookies: Parameters<typeof newVisitor>[1] = [],
): Promise<{ all: number; scripts: number }> {
  const { page, context, devtools } = await newVisitor(browser, cookies)
  const types = new Map<string, string>()
  let all = 0
  let scripts = 0
  devtools.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    all += encodedDataLength
    if (types.get(requestId) === 'Script') scripts += encodedDataLength
  })
  await devtools.send('Network.enable')
  const answer = await page.goto(url, { waitUntil: 'networkidle' })
  if (answer?.status() !== 200 || page.url() !== url)
    throw new Error(`${url} was answered with ${answer?.status()} at ${page.url()}`)
  const inline = page.locator('script:not([src])')
  const texts = await inline.evaluateAll((found) => found.map((script) => script.innerHTML))
  scripts += texts.join('').length
  // A browser without a window does not ask for the picture of the tab.
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  if (icon) all += statSync(`${path.join(ROOT, 'build/client', icon)}.br`).size
  await context.close()
  return { all, scripts }
}

/** A built script and all that it imports at its start, compressed as they are served. */
function islandBytes(name: string): number {
  const assets = path.join(ROOT, 'build/client/assets')
  const entry = readdirSync(assets).find(
    (file) => file.startsWith(`${name}-`) && file.endsWith('.js'),
  )
  if (!entry) throw new Error(`the build has no ${name}`)
  const found = new Set<string>()
  const walk = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    const source = readFileSync(path.join(assets, file), 'utf8')
    for (const [, target = ''] of source.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
      walk(target)
  }
  walk(entry)
  return [...found].reduce((sum, file) => sum + statSync(path.join(assets, `${file}.br`)).size, 0)
}
