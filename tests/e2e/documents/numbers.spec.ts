import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'

const NUMBERS = '/dashboard/documents/numbers'

/** A draft of this kind, as a clerk uploads it; its page is open. */
async function aDraft(page: Page, title: string, kind: string): Promise<string> {
  const { field, button, main } = inMain(page)
  await page.goto('/dashboard/documents/new')
  await field('Título').fill(title)
  await field('Tipo de documento').selectOption({ label: kind })
  await field('Archivo PDF').setInputFiles(aFile('acta.pdf', aPdf()))
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
  return page.url()
}

/** A series of its own, started by a notary: other tests take numbers, too. */
async function aSeries(page: Page, name: string, next: string): Promise<void> {
  const { field, button, main } = inMain(page)
  await page.goto('/dashboard/settings/numbers')
  await field('Nombre').fill(name)
  await button('Agregar serie').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(name)
  await field('Número siguiente').fill(next)
  await field('Libro en curso').fill('7')
  await button('Guardar').click()
  await expect(main.getByRole('row', { name })).toContainText(next)
}

test('numbers: a draft takes the next one, the report lists it, and a cancelled one waits for its reason', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { field, button, link, main, text } = inMain(page)
  const name = `Actas ${aTitle(hasScripts ? 'con' : 'sin')}`.slice(0, 50)
  await signedInAs('NOTARY')
  await aSeries(page, name, '1,200')

  // Set apart.
  await page.goto(NUMBERS)
  await link(name).click()
  await expect(main).toContainText('El siguiente es 1,200 (libro 7).')
  await button('Apartar el siguiente número').click()
  await expect(text('Escriba para qué se aparta, hasta 300 caracteres.')).toBeVisible()
  await field('Para qué se aparta').fill('=Donación de la familia Núñez')
  await button('Apartar el siguiente número').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(`1,200 · ${name}`)
  await expect(main).toContainText('=Donación de la familia Núñez')
  await expect(messageOn(page, hasScripts).last()).toHaveText('El número 1,200 quedó apartado.')

  // The next one, and a number that is taken already: what was typed stays.
  const title = aTitle('Acta')
  const draft = await aDraft(page, title, 'Acta')
  await link('Tomar el siguiente número').click()
  await field('Serie').selectOption({ label: `${name}: sigue el 1,201 (libro 7)` })
  await button('Tomar número').click()
  await expect(main).toContainText(`1,201 de ${name}`)
  await expect(messageOn(page, hasScripts).last()).toHaveText(
    'El número 1,201 quedó en el documento.',
  )
  const other = await aDraft(page, aTitle('Otra acta'), 'Acta')
  await link('Tomar el siguiente número').click()
  await field('Serie').selectOption({ label: `${name}: sigue el 1,202 (libro 7)` })
  await field('Otro número (opcional)').fill('1,201')
  await button('Tomar número').click()
  await expect(main).toContainText('Ese número ya es de otro documento de la notaría')
  await expect(field('Otro número (opcional)')).toHaveValue('1,201')
  await field('Otro número (opcional)').fill('1,210')
  await button('Tomar número').click()
  await expect(main).toContainText(`1,210 de ${name}. Está adelantado: sigue el 1,202.`)
  expect(page.url()).toBe(other)

  // Cancelled, its number stays and waits for a reason.
  await page.goto(draft)
  await link('Cancelar documento').click()
  await field('Motivo').fill('Se subió por error.')
  await button('Cancelar documento').click()
  await expect(main).toContainText('Cancelado')
  await page.goto(NUMBERS)
  await link(name).click()
  await expect(main).toContainText('El siguiente es 1,202 (libro 7).')
  await main.getByRole('link', { name: 'Sin usar, falta el motivo' }).click()
  await expect(main.getByRole('row', { name: '1,201' })).toContainText(title)
  await link('1,201').click()
  await field('Motivo').fill('NO PASÓ')
  await button('Anotar motivo').click()
  await expect(button('Quitar el motivo')).toBeVisible()
  await expect(main).toContainText('NO PASÓ')

  // Numbers that are skipped are missing, as one line.
  await page.goto('/dashboard/settings/numbers')
  await link(name).click()
  await field('Número siguiente').fill('1,206')
  await button('Guardar').click()
  await expect(main.getByRole('row', { name })).toContainText('1,206')
  await page.goto(NUMBERS)
  await link(name).click()
  await expect(main.getByRole('row', { name: '1,202 a 1,205 (4 números)' })).toContainText('Falta')

  // The name of who noted something keeps its room beside long texts.
  await page.setViewportSize({ width: 1280, height: 800 })
  const noted = await main.getByRole('row', { name: '1,201' }).locator('[data-name]').boundingBox()
  expect(noted?.width).toBeGreaterThanOrEqual(150)

  const download = page.waitForEvent('download')
  await link('Exportar CSV').click()
  const csv = readFileSync(await (await download).path(), 'utf8')
  expect(csv.startsWith('\ufeffSerie,Desde,Hasta,Cuántos,Estado,Folio,Documento')).toBe(true)
  const lines = csv.split('\r\n').map((line) => line.split(',').slice(1, 5).join(','))
  expect(lines.slice(1, 5)).toEqual([
    ...['1200,1200,1,Apartado', '1201,1201,1,Sin usar', '1202,1205,4,Falta', '1210,1210,1,Usado'],
  ])
  expect(csv).toContain("'=Donación de la familia Núñez")
})

test('numbers: a number is written twice in no series, and what was typed stays', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { field, button, link, main } = inMain(page)
  await signedInAs('CLERK')
  const number = hasScripts ? '7,654,321' : '7,654,322'
  await aDraft(page, aTitle('Escritura'), 'Escritura')
  await link('Agregar datos del instrumento').click()
  await field('Número de escritura o acta').fill(number)
  await button('Guardar').click()
  await expect(main).toContainText(`${number} de Escrituras y actas`)
  await aDraft(page, aTitle('Escritura'), 'Escritura')
  await link('Agregar datos del instrumento').click()
  await field('Número de escritura o acta').fill(number)
  await field('Folios').fill('3 a 5')
  await button('Guardar').click()
  await expect(main).toContainText('Ese número ya es de otro documento de la notaría')
  await expect(field('Folios')).toHaveValue('3 a 5')
})

test('numbers: a clerk gives no reasons and sets no series', async ({ page, signedInAs }) => {
  const { main, link, button } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/dashboard/settings/numbers')
  await expect(page).toHaveURL('/dashboard')
  await page.goto(NUMBERS)
  await expect(link('Cambiar la numeración')).toHaveCount(0)
  await link('4,520').click()
  await expect(main).toContainText('Falta')
  await expect(button('Anotar motivo')).toHaveCount(0)
  await page.goto(`${NUMBERS}/not-a-series/1`)
  await expect(main).toContainText('Página no encontrada')
})
