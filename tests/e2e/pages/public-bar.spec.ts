import { expect, test } from '#tests/e2e/support/fixtures.ts'

for (const width of [360, 390])
  test(`public bar: one row at ${width} px, and the seal keeps its name`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/')
    const bar = page.getByRole('banner')
    const links = await bar.getByRole('link').all()
    const boxes = await Promise.all(links.map((link) => link.boundingBox()))
    const middles = boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2))
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(2)
    expect(boxes.every((box) => box && box.x >= 0 && box.x + box.width <= width)).toBe(true)
    await expect(bar.getByRole('link', { name: 'Rúbrica', exact: true })).toBeVisible()
  })

test('home page: one filled button', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('.mantine-Button-root:not([data-variant=default])')).toHaveText(
    'Verificar',
  )
})
