import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'

test('reader: keys turn and enlarge, and leave fields alone', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(aPdf(8))
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}`)
  const figure = (number: number) =>
    page.getByRole('figure', { name: `Página ${number} de 8`, exact: true })
  await expect(figure(1)).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('ArrowRight')
    await expect(figure(4)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('ArrowLeft')
  await expect(figure(1)).toBeVisible()
  await page.keyboard.press('+')
  await expect(page).toHaveURL(/zoom=125/)
  await page.getByLabel('Página', { exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('-')
  await expect(page).toHaveURL(/zoom=125/)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('reader: the foot counts the pages while one scrolls', async ({
    page,
    signedInAs,
    uploadedDeed,
  }) => {
    const deed = await uploadedDeed(aPdf(3))
    await signedInAs('titular')
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    const foot = page.getByRole('navigation', { name: 'Lector' })
    await expect(foot).toContainText('Página 1 de 3')
    await page.getByRole('figure', { name: 'Página 3 de 3' }).scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 400)
    await expect(foot).toContainText('Página 3 de 3')
  })
})
