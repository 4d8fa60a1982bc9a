import { randomUUID } from 'node:crypto'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { beginUpload } from '#tests/e2e/support/unfinished-uploads.ts'

test('unfinished upload: leaves the list when its file is chosen again', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main, field, button } = inMain(page)
  const client = await signedInClient(demo.origin, person('CLERK'))
  const pdf = aPdf()
  const name = `poder-${randomUUID()}.pdf`
  await beginUpload(client, name, pdf.length)
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents/new')
  const discard = button(`Descartar ${name}`)
  await expect(discard).toBeVisible()
  await field('Archivo PDF').setInputFiles(aFile(name, pdf))
  await expect(button(`Quitar ${name}`)).toBeVisible()
  await expect(discard).toHaveCount(0)
  await button(`Quitar ${name}`).click()
  await discard.click()
  await expect(main.getByRole('listitem').filter({ hasText: name })).toHaveCount(0)
})
