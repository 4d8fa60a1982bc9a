import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { Demo, DemoUser } from '#tests/support/demo-server.ts'

export { expect } from '@playwright/test'

type Fixtures = {
  demo: Demo
  /** Signs a person of the demo in, through the page, and returns who it is. */
  signedInAs: (who: Partial<Pick<DemoUser, 'email'>> & { role?: string }) => Promise<DemoUser>
}

/**
 * The base of every story: relative addresses lead to the demo office, and a story that breaks the content
 * security policy, throws in the page or logs an error fails, whatever else it shows.
 */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what is needed
  demo: async ({}, use) => {
    await use(JSON.parse(process.env.DEMO_JSON ?? '{}'))
  },
  baseURL: async ({ demo }, use) => {
    await use(demo.origin)
  },
  context: async ({ context }, use) => {
    const faults = watch(context)
    await use(context)
    expect(faults, 'faults in the page').toEqual([])
  },
  signedInAs: async ({ page, demo }, use) => {
    await use(async ({ email, role }) => {
      const user = demo.users.find(
        (candidate) =>
          (!email || candidate.email === email) && (!role || candidate.roles.includes(role)),
      )
      if (!user) throw new Error(`the demo has no ${email ?? role}`)
      await signIn(page, user)
      return user
    })
  },
})

export async function signIn(page: Page, user: DemoUser): Promise<void> {
  await page.goto('/login')
  const main = page.getByRole('main')
  await main.getByLabel('Correo electrónico', { exact: true }).fill(user.email)
  await main.getByLabel('Contraseña', { exact: true }).fill(user.password)
  await main.getByRole('button', { name: 'Iniciar Sesión', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard/)
}

/** What must never be seen: violations of the policy, exceptions, failed hydration. */
function watch(context: BrowserContext): string[] {
  const faults: string[] = []
  context.on('weberror', (error) => faults.push(String(error.error())))
  context.on('console', (message) => {
    const text = message.text()
    // A refused form is answered with a status of 4xx on purpose, and the browser logs it.
    if (message.type() === 'error' && !/Failed to load resource/.test(text)) faults.push(text)
  })
  return faults
}
