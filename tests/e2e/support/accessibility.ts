import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { Result } from 'axe-core'
import { expect } from './fixtures.ts'

/** The small build: a browser reads the other one, `axe.source`, for longer than its rules take. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Rules whose result depends on the theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** The violations on the current page: all rules in the light theme, colour rules in the dark theme too. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.waitForLoadState()
  await page.emulateMedia({ colorScheme: 'light' })
  // Loaded once a page, by hand: the adapter of axe loads it four times and opens a window for each result.
  await page.evaluate(AXE)
  const light = await violationsOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await violationsOf(page, OF_COLOURS)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...recorded('light', light), ...recorded('dark', dark)]
}

export async function expectNoViolations(page: Page, path: string): Promise<void> {
  await page.goto(path)
  expect([path, await violationsOn(page)]).toEqual([path, []])
}

/** @param rules all of them when undefined */
function violationsOf(page: Page, rules?: string[]): Promise<Result[]> {
  return page.evaluate(async (runOnly) => {
    const { axe: here } = window as unknown as { axe: typeof axe }
    const { violations } = await here.run({
      resultTypes: ['violations'],
      ...(runOnly && { runOnly }),
    })
    return violations
  }, rules)
}

const recorded = (theme: string, violations: readonly Result[]) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} at ${target.join(' ')}, ${theme}: ${failureSummary}`,
    ),
  )
