import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Rules whose result depends on the theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** The violations on the current page: all rules in the light theme, colour rules in the dark theme too. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.waitForLoadState()
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await new AxeBuilder({ page }).analyze()
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await new AxeBuilder({ page }).withRules(OF_COLOURS).analyze()
  await page.emulateMedia({ colorScheme: 'light' })
  return [...recorded('light', light.violations), ...recorded('dark', dark.violations)]
}

export async function expectNoViolations(page: Page, path: string): Promise<void> {
  await page.goto(path)
  expect([path, await violationsOn(page)]).toEqual([path, []])
}

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

const recorded = (theme: string, violations: Violations) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} at ${target.join(' ')}, ${theme}: ${failureSummary}`,
    ),
  )
