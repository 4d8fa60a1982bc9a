import { rmSync, writeFileSync } from 'node:fs'
import { openPage } from '#tests/e2e/support/client-state.ts'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

/* A browser does not send a file that was removed after it was chosen, and says the same as without a connection. */

const SENTENCE = 'Un archivo que eligió cambió o ya no está en su lugar. Elíjalo otra vez.'

test('form of the dashboard with a file that is gone: says so, keeps the rest, and is sent with the file chosen again', async ({
  page,
  signedInAs,
  uploadedDeed,
  faults,
}, info) => {
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  await openPage(page, `/dashboard/documents/${deed.id}/replace`)
  const { field, button } = inMain(page)
  const file = info.outputPath('corregido.pdf')
  writeFileSync(file, aPdf(3))
  await field('Archivo PDF').setInputFiles(file)
  await field('Qué cambió (opcional)').fill('Se corrigió el lindero norte')
  rmSync(file)
  await button('Reemplazar el archivo').click()
  await expect(page.getByText(SENTENCE).first()).toBeVisible()
  await expect(page.getByText(/^Error de conexión/)).toHaveCount(0)
  await expect(field('Qué cambió (opcional)')).toHaveValue('Se corrigió el lindero norte')
  writeFileSync(file, aPdf(4))
  await field('Archivo PDF').setInputFiles(file)
  await button('Reemplazar el archivo').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
  faults.length = 0
})

test('public form with a file that is gone: says so, and is sent with the file chosen again', async ({
  page,
  faults,
}, info) => {
  await page.goto('/verify/document')
  const { main, field, button } = inMain(page)
  const file = info.outputPath('recibido.pdf')
  writeFileSync(file, aPdf(3))
  await field('Archivo PDF').setInputFiles(file)
  rmSync(file)
  await button('Verificar archivo').click()
  await expect(main.getByRole('alert')).toHaveText(SENTENCE)
  writeFileSync(file, aPdf(4))
  await field('Archivo PDF').setInputFiles(file)
  await button('Verificar archivo').click()
  await expect(main).toContainText('Este archivo no está registrado aquí')
  faults.length = 0
})
