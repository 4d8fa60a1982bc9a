import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, offerOn, test } from '#tests/e2e/support/fixtures.ts'

test('checklist: written for an act, it is given to a document, ticked with a note and opened again', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { field, button, link, main } = inMain(page)
  const act = hasScripts ? 'Revocación de poder' : 'Cancelación de hipoteca'
  await signedInAs('NOTARY')
  await page.goto('/dashboard/settings/checklists')
  await expect(main.getByRole('row', { name: 'Compraventa', exact: false }).first()).toContainText(
    'Lista sugerida; revísela con la ley de su estado',
  )
  await link(act).click()
  await field('Punto 1').fill('Identificaciones')
  await field('Punto 2').fill('IDENTIFICACIONES')
  await button('Guardar').click()
  await expect(main).toContainText('Este punto ya está en otro renglón.')
  await expect(field('Punto 1')).toHaveValue('Identificaciones')
  await field('Punto 2').fill('Carta de instrucción')
  await button('Guardar').click()
  await expect(main.getByRole('row', { name: act })).toContainText('De la notaría')

  const title = aTitle(act)
  await page.goto('/dashboard/documents/new')
  await field('Título').fill(title)
  await field('Tipo de documento').selectOption({ label: 'Escritura' })
  await field('Archivo PDF').setInputFiles(aFile('acta.pdf', aPdf()))
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
  const address = page.url()
  await link('Poner una lista').click()
  // The title names the act.
  await button('Agregar lista').click()
  await expect(main).toContainText(`${act} · 0 de 2 puntos`)
  await button('Quitar lista').click()
  await expect(main).not.toContainText(`${act} · 0 de 2 puntos`)
  await offerOn(page, hasScripts).click()
  await expect(main).toContainText(`${act} · 0 de 2 puntos`)
  await field('Nota (opcional)').first().fill('INE vigente')
  await button('Marcar Identificaciones').click()
  await expect(main).toContainText(`${act} · 1 de 2 puntos`)
  await expect(main).toContainText('INE vigente')
  await button('Desmarcar Identificaciones').click()
  await expect(main).toContainText(`${act} · 0 de 2 puntos`)
  await button('Marcar Carta de instrucción').click()
  await expect(main).toContainText(`${act} · 1 de 2 puntos`)
  await page.goto(address)
  await expect(main).toContainText('1 de 2 puntos')
})
