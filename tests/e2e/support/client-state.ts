import type { Page } from '@playwright/test'
import type { ClientState } from '#app/client/state.ts'
import { expect } from './fixtures.ts'

type Hook = { next: Hook | null; queue?: { getSnapshot?: () => unknown } | null }
type Fiber = { return: Fiber | null; memoizedState: Hook | null }

/** The client state of an open dashboard page, read from React: no element shows all of it. */
export function clientState(page: Page): Promise<ClientState> {
  return page.locator('section[aria-label="Avisos"]').evaluate((stack) => {
    const key = Object.keys(stack).find((name) => name.startsWith('__reactFiber'))
    let fiber = key ? (stack as unknown as Record<string, Fiber | null>)[key] : null
    for (; fiber; fiber = fiber.return)
      for (let hook = fiber.memoizedState; hook?.queue !== undefined; hook = hook.next ?? null) {
        const kept = hook.queue?.getSnapshot?.()
        if (typeof kept === 'object' && kept && 'sidebarOpen' in kept) return kept as ClientState
      }
    throw new Error('no state')
  })
}

/** The page, once its scripts are at work. */
export async function openPage(page: Page, address = '/dashboard'): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Contraer menú' })).toBeVisible()
}

/** Stops the clock of pages opened from now on; only `page.clock.runFor` moves it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
}

/** Comes back to the tab of an open page, which makes it check its session. */
export const returnToTab = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

/** The page stays when it leaves for /login, so that it can be looked at, or closed, after that. */
export const stayOnPage = (page: Page) =>
  page.route('**/login?*', (route) => route.fulfill({ status: 204 }))

/** From now on this call of the page is answered so; without a body when there is none. */
export const answerCall = (page: Page, call: string, status: number, json?: object) =>
  page.route(`**/api/v1/auth/${call}`, (route) => route.fulfill({ status, ...(json && { json }) }))

/** Records the calls that the page makes from now on, with the answer to each. */
export function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('response', (answer) => {
    const [, path] = new URL(answer.url()).pathname.split('/api/v1/auth/')
    if (path) calls.push(`${path} ${answer.status()}`)
  })
  return calls
}
