import type { Page } from '@playwright/test'
import { openPage, stopClock } from '#tests/e2e/support/client-state.ts'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { DASHBOARD_STOPS, PUBLIC_STOPS, stopsOf } from '#tests/e2e/support/site-map.ts'

test.describe('toasts', () => {
  const flash = (value: string) => ({
    name: '__Host-flash',
    value,
    domain: 'localhost',
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Lax' as const,
  })

  test('§2 "A toast stack sits at the bottom right", §9 "toast stack max width 400 px, 24 px from bottom and right", "Default notification duration 5000 ms"', async ({
    page,
    context,
    signedInAs,
  }) => {
    await signedInAs('CLERK')
    await stopClock(page)
    await context.addCookies([flash('document-uploaded')])
    await page.goto('/dashboard')
    const toast = messageOn(page, true)
    await expect(toast).toHaveText('El documento se guardó.')
    const stack = page.locator('section[aria-label="Avisos"]')
    const place = await stack.evaluate((element) => {
      const { right, bottom, width } = element.getBoundingClientRect()
      const { clientWidth } = document.documentElement
      return { right: clientWidth - right, bottom: innerHeight - bottom, width }
    })
    expect(place).toEqual({ right: 24, bottom: 24, width: 400 })
    await page.clock.runFor(4_999)
    await expect(toast).toBeVisible()
    await page.clock.runFor(1)
    await expect(toast).toHaveCount(0)
  })

  test('§4 "Toasts with a positive duration disappear after it; each can be closed manually", §9 "session-expired notification 6000 ms"', async ({
    page,
    context,
    signedInAs,
  }) => {
    await signedInAs('CLERK')
    await stopClock(page)
    await context.addCookies([flash('session-expired')])
    await page.goto('/dashboard')
    const toast = messageOn(page, true)
    await expect(toast).toHaveText('Su sesión ha expirado. Por favor, inicie sesión nuevamente.')
    await page.clock.runFor(5_999)
    await expect(toast).toBeVisible()
    await page.clock.runFor(1)
    await expect(toast).toHaveCount(0)
    await context.addCookies([flash('document-signed')])
    await page.goto('/dashboard')
    await expect(toast).toHaveText('El documento quedó firmado.')
    await page.getByRole('button', { name: 'Cerrar aviso', exact: true }).click()
    await expect(toast).toHaveCount(0)
  })
})

test('§2 "The main area scrolls to the top on each route change", not of query', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('titular')
  await page.setViewportSize({ width: 1280, height: 300 })
  await openPage(page, '/dashboard/documents')
  const down = async () => {
    await page.evaluate(() => scrollTo(0, 120))
    return page.evaluate(() => scrollY)
  }
  const before = await down()
  expect(before).toBeGreaterThan(0)
  // By the keyboard, so that the link is not scrolled into view.
  await inMain(page)
    .main.getByRole('link', { name: /^Borradores/ })
    .evaluate(follow)
  await expect(page).toHaveURL('/dashboard/documents?state=draft')
  await expect(inMain(page).main.getByRole('table')).toBeVisible()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)

  await down()
  await page.getByRole('navigation', { name: 'Principal' }).getByText('Certificados').click()
  await expect(page).toHaveURL('/dashboard/certificates')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

const follow = (link: HTMLElement | SVGElement) => (link as HTMLElement).click()

test('§2 "Pages load with a spinner while pending"', async ({ page, signedInAs }) => {
  await signedInAs('titular')
  await openPage(page)
  const arrival = Promise.withResolvers<void>()
  await page.route('**/*.data*', async (route) => {
    await arrival.promise
    await route.continue()
  })
  await page.getByRole('navigation', { name: 'Principal' }).getByText('Auditoría').click()
  await expect(page.getByText('Cargando…')).toBeVisible()
  arrival.resolve()
  await expect(page).toHaveURL('/dashboard/audit')
  await expect(page.getByText('Cargando…')).toHaveCount(0)
})

test('connection lost: shows the message of the catalogue', async ({ page, signedInAs }) => {
  await signedInAs('titular')
  await openPage(page)
  await page.route('**/*.data*', (route) => route.abort())
  await page.getByRole('navigation', { name: 'Principal' }).getByText('Auditoría').click()
  await expect(
    page.getByText('Error de conexión. Por favor, verifique su conexión a internet.'),
  ).toBeVisible()
})

test('links from hydrated to static pages: load a document', async ({
  page,
  signedInAs,
  signedDeed,
  uploadedDeed,
}) => {
  test.setTimeout(180_000)
  const deed = await signedDeed()
  const draft = await uploadedDeed()
  await signedInAs('titular')
  const stops = [...PUBLIC_STOPS, ...DASHBOARD_STOPS, ...stopsOf(deed)].map(({ path }) => path)
  const hydrates = new Map<string, boolean>()
  const links = new Map<string, Link>()
  for (const path of stops) {
    await page.goto(path)
    const from = new URL(page.url()).pathname
    const fromHydrated = await isHydrated(page)
    hydrates.set(from, fromHydrated)
    for (const link of await linksOn(page)) {
      // The bars are the same on every page of a kind: each of their links is followed from one.
      const place = link.area === 'main' ? from : fromHydrated
      links.set(`${place} ${link.to}`, { ...link, from })
    }
  }
  for (const { from, area, to } of links.values()) {
    const target = new URL(to, page.url()).pathname
    if (!hydrates.has(target) || hydrates.get(from) === hydrates.get(target)) continue
    await page.goto(from)
    await page.evaluate(() => Object.assign(window, { stillTheSameDocument: true }))
    await page.locator(`${area} a[href="${to}"]`).first().evaluate(follow)
    await page.waitForURL((url) => url.pathname === target)
    await page.waitForLoadState()
    const isSame = await page.evaluate(() => 'stillTheSameDocument' in window)
    expect([from, to, isSame]).toEqual([from, to, false])
    expect([to, await isHydrated(page)]).toEqual([to, hydrates.get(target)])
  }
  expect(hydrates.get('/dashboard/documents')).toBe(true)
  expect(hydrates.get('/')).toBe(false)
  expect(hydrates.get(`/dashboard/documents/${deed.id}/sign`)).toBe(false)

  await page.goto(`/dashboard/documents/${draft.id}`)
  await inMain(page).link('Firmar').click()
  await expect(inMain(page).field('Clave privada (.key)')).toBeVisible()
  await page.goBack()
  await page.goForward()
  await expect(inMain(page).field('Clave privada (.key)')).toBeVisible()
})

/*
 * Where scripts start late, people click before they do. If something moved between the press and the release of the button, the
 * click would be lost.
 */
test('layout: nothing on a page moves when it hydrates', async ({
  page,
  signedDeed,
  signedInAs,
}) => {
  test.slow()
  const deed = await signedDeed()
  await signedInAs('titular')
  await recordMoves(page)
  let painted = Promise.withResolvers<void>()
  // Every other module is loaded by this one, or before it and run by it.
  await page.route('**/assets/entry.client-*.js', async (route) => {
    await painted.promise
    await route.continue()
  })
  const moved: string[] = []
  for (const { path } of [...DASHBOARD_STOPS, ...stopsOf(deed)]) {
    painted = Promise.withResolvers<void>()
    await page.goto(path, { waitUntil: 'commit' })
    const paintedAt = await paintedWhole(page)
    painted.resolve()
    await page.waitForLoadState()
    if (!(await isHydrated(page))) continue
    for (const what of await movesOn(page, paintedAt)) moved.push(`${path}: ${what}`)
  }
  expect(moved).toEqual([])
})

type LayoutShift = PerformanceEntry & { sources: { node: Node | null }[] }
type Recorded = { moves: { what: string; at: number }[] }

const recordMoves = (page: Page) =>
  page.addInitScript(() => {
    const moves: Recorded['moves'] = []
    Object.assign(window, { moves })
    new PerformanceObserver((list) => {
      for (const { sources, startTime: at } of list.getEntries() as LayoutShift[])
        moves.push({
          what: sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(', '),
          at,
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** The time at which everything that the server sent was on the screen; its scripts are still held back. */
const paintedWhole = (page: Page) =>
  page.evaluate(async () => {
    if (document.readyState === 'loading')
      await new Promise((resolve) =>
        document.addEventListener('readystatechange', resolve, { once: true }),
      )
    await document.fonts.ready
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now()
  })

/** What moved since the page was painted, until two frames from now: hydration renders once more, with what only the browser knows. */
const movesOn = (page: Page, paintedAt: number) =>
  page.evaluate(async (since) => {
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    const { moves } = window as unknown as Recorded
    return moves.filter(({ at }) => at > since).map(({ what }) => what)
  }, paintedAt)

/** React is at work, not only sent. */
async function isHydrated(page: Page): Promise<boolean> {
  const isSent = await page.evaluate(() => '__reactRouterContext' in window)
  if (isSent)
    await expect
      .poll(() =>
        page.evaluate(() =>
          Object.keys(document.querySelector('main') ?? {}).some((key) =>
            key.startsWith('__react'),
          ),
        ),
      )
      .toBe(true)
  return isSent
}

/** A link of a page, in its own part or in the bars around it. */
type Link = { from: string; area: 'main' | 'body'; to: string }

const linksOn = (page: Page): Promise<Omit<Link, 'from'>[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('a[href^="/"]')].map((link) => ({
      area: link.closest('main') ? 'main' : 'body',
      to: link.getAttribute('href') ?? '',
    })),
  )
