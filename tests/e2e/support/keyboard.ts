import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Moves the focus there with the Tab key, as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator) {
  for (let step = 0; step < 60; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
