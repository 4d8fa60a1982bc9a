import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

test('capacity: an administrator adds the paper that supports it, and an auditor reads it', async ({
  page,
  person,
  signedInAs,
  hasScripts,
}) => {
  const { field, button, link, main } = inMain(page)
  const { firstName, lastName, key } = person('suplente')
  const name = `${firstName} ${lastName}`
  const pdf = Buffer.from(aPdf(hasScripts ? 1 : 2))
  const paper = `convenio ${randomUUID()}.pdf`
  await signedInAs('administrador')
  await page.goto('/dashboard/users')
  await link(name).click()
  await link('Documentos que la acreditan').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(`Calidad de ${name}`)
  await expect(main).toContainText('Suplente')

  await button('Agregar documento').click()
  await expect(field('Archivo PDF')).toHaveAccessibleDescription(/No se eligió ningún archivo/)
  await field('Archivo PDF').setInputFiles(aFile('e.key', readFileSync(key)))
  await button('Agregar documento').click()
  await expect(field('Archivo PDF')).toHaveAccessibleDescription(/Es la clave privada/)
  await expect(link(paper)).toHaveCount(0)

  await field('Archivo PDF').setInputFiles(aFile(paper, pdf))
  await button('Agregar documento').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El documento se guardó.')
  await expect(main).toContainText('Agregado el')

  await signedInAs('AUDITOR')
  await page.reload()
  await expect(button('Agregar documento')).toHaveCount(0)
  const [file] = await Promise.all([page.waitForEvent('download'), link(paper).click()])
  expect(file.suggestedFilename()).toBe(paper)
  expect(readFileSync(await file.path())).toEqual(pdf)
  await link(`Volver a ${name}`).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(name)
})

test('capacity: a person without one has no papers of it', async ({ page, person, signedInAs }) => {
  const { link, main } = inMain(page)
  const { firstName, lastName } = person('CLERK')
  await signedInAs('administrador')
  await page.goto('/dashboard/users')
  // Other tests add colleagues of the same name; the list has the oldest first.
  await link(`${firstName} ${lastName}`).first().click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(`${firstName} ${lastName}`)
  await expect(link('Documentos que la acreditan')).toHaveCount(0)
  await page.goto(`${page.url().split('?')[0]}/capacity`)
  await expect(main).toContainText('No hay documentos todavía.')
  await expect(main.getByRole('button', { name: 'Agregar documento' })).toHaveCount(0)
})
