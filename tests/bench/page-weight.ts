import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import { newVisitor, openBrowser } from './browser.ts'
import { startDemoServer } from './demo-server.ts'
import type { Figure } from './figures.ts'
import { ROOT } from './measured-process.ts'
import { cookiesFrom, enrolApp, findDocuments, signIn } from './office-visitor.ts'

const section = 'Peso de las páginas, en la primera visita'
const KB = 1024

/** How many bytes travel for the pages that strangers meet, and for signing. */
export async function measurePageWeight(folder: string): Promise<Figure[]> {
  const server = await startDemoServer(folder)
  const browser = await openBrowser()
  try {
    const { signed, draft, cookie } = await findDocuments(server)
    const { origin, users } = server
    const colleague = users[1]
    if (!colleague) throw new Error('one person alone works in the demo office')
    const inside = cookiesFrom(await signIn(origin, colleague), origin)
    const figures = [
      ...(await weightOf(browser, '/login', `${origin}/login`)),
      ...(await weightOf(browser, '/', `${origin}/`)),
      ...(await weightOf(browser, '/verify/{uuid}', `${origin}/verify/${signed}`)),
      ...(await weightOf(browser, '/setup-mfa', `${origin}/setup-mfa`, inside)),
    ]
    await enrolApp(origin, await signIn(origin, colleague))
    const onTheWay = cookiesFrom(await signIn(origin, colleague), origin)
    figures.push(...(await weightOf(browser, '/mfa', `${origin}/mfa`, onTheWay)))
    const cookies = cookiesFrom(cookie, origin)
    const address = `${origin}/dashboard/documents/${draft}/sign`
    const signing = await weigh(browser, address, cookies)
    figures.push(
      { ...kilobytes('the island of signing', islandBytes('sign-with-efirma')), atMost: 30 },
      { ...kilobytes('the island of a batch', islandBytes('sign-batch')), atMost: 30 },
      { ...kilobytes('the island of the reader', islandBytes('turn-pages')), atMost: 4 },
      { ...kilobytes('the page of signing: everything', signing.all), atMost: 160 },
      kilobytes('the page of signing: scripts', signing.scripts),
    )
    return figures
  } finally {
    await browser.close()
    await server.stop()
  }
}

type Cookies = ReturnType<typeof cookiesFrom>

/** Limits of a page without React: in total, and for its scripts. */
async function weightOf(
  browser: Browser,
  name: string,
  address: string,
  cookies: Cookies = [],
): Promise<Figure[]> {
  const weight = await weigh(browser, address, cookies)
  return [
    { ...kilobytes(name, weight.all), atMost: 24 },
    { ...kilobytes(`${name}: scripts`, weight.scripts), atMost: 5 },
  ]
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
  cookies: Cookies = [],
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
