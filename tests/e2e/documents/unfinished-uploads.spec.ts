import { randomUUID } from 'node:crypto'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { beginUpload } from '#tests/e2e/support/unfinished-uploads.ts'

test('unfinished uploads: listed with their progress to their user alone, and discarded', async ({
  page,
  demo,
  person,
  hasScripts,
  signedInAs,
}) => {
  const { main, button } = inMain(page)
  const client = await signedInClient(demo.origin, person('CLERK'))
  const [deed, other] = [`escritura-${randomUUID()}.pdf`, `otra-${randomUUID()}.pdf`]
  for (const name of [deed, other]) await beginUpload(client, name, 3_000_000)

  await signedInAs('LAWYER')
  await page.goto('/dashboard/documents/new')
  await expect(main).not.toContainText(deed)
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents/new')
  const row = main.getByRole('listitem').filter({ hasText: deed })
  await expect(row).toContainText('0 bytes de 2.9 MB (0 %)')
  await expect(main).toContainText('elija otra vez el mismo archivo')
  // Locators leave out `noscript`.
  const shown = await main.innerText()
  expect(shown.includes('En este navegador se envía completo.')).toBe(!hasScripts)
  await button(`Descartar ${deed}`).click()
  await expect(messageOn(page, hasScripts)).toHaveText('La subida sin terminar se descartó.')
  await expect(row).toHaveCount(0)
  await expect(main.getByRole('listitem').filter({ hasText: other })).toBeVisible()
  await button(`Descartar ${other}`).click()
  await expect(main.getByRole('listitem').filter({ hasText: other })).toHaveCount(0)
})
