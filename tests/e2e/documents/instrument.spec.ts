import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { aPdf, aTitle, idIn, signDeed } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { judge } from '#tests/support/judges.ts'

const PARTIES = 'Vendedora: Íñiga Peña\nInmobiliaria Ñandú, S.A. de C.V.'

test('instrument: a clerk enters its data, and the sheets of the document print it', async ({
  page,
  person,
  demo,
  signedInAs,
  hasScripts,
}, testInfo) => {
  const { field, button, link, text, main } = inMain(page)
  const title = aTitle('Compraventa')
  await signedInAs('CLERK')
  await page.goto('/dashboard/documents/new')
  await field('Título').fill(title)
  await text('Datos del instrumento (opcional)').click()
  await field('Folios').fill('101 a 110 vuelta')
  await field('Comparecientes').fill(PARTIES)
  await field('Archivo PDF').setInputFiles(aFile('casa.pdf', aPdf()))
  await button('Subir').click()

  // An error shows at its field, and the input is kept.
  await expect(
    text('Escriba el número del instrumento al que pertenecen estos datos.'),
  ).toBeVisible()
  await expect(field('Título')).toHaveValue(title)
  await expect(field('Comparecientes')).toHaveValue(PARTIES)
  await field('Número de escritura o acta').fill('45,213')
  // With scripts the file stays.
  if (!hasScripts) await field('Archivo PDF').setInputFiles(aFile('casa.pdf', aPdf()))
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
  const id = idIn(page.url())
  await expect(main).toContainText('Vendedora: Íñiga Peña; Inmobiliaria Ñandú, S.A. de C.V.')

  await link('Cambiar datos del instrumento').click()
  await expect(field('Comparecientes')).toHaveValue(PARTIES)
  await field('Fecha del instrumento').fill('2026-03-05')
  await field('Comparecientes').fill('Vendedora:')
  await button('Guardar').click()
  await expect(main.getByText(/^Escriba una persona por renglón, hasta 60/)).toBeVisible()
  await field('Comparecientes').fill('Vendedora: Íñiga Peña\nComprador: José Núñez')
  await field('Libro').fill('1,204')
  await button('Guardar').click()
  await expect(page).toHaveURL(`/dashboard/documents/${id}`)
  await expect(main).toContainText('Vendedora: Íñiga Peña; Comprador: José Núñez')
  await expect(main).toContainText('05 mar 2026')

  await page.goto(`/dashboard/documents?text=${encodeURIComponent('josé nuñez')}`)
  await expect(link(title)).toBeVisible()

  await signDeed(demo.origin, { id }, person('titular'))
  await page.goto(`/dashboard/documents/${id}`)
  await expect(main).toContainText('Comprador: José Núñez')
  await expect(link('Cambiar datos del instrumento')).toHaveCount(0)
  for (const name of ['Descargar firmado', 'Hoja de evidencia (PDF)']) {
    const said = textOf(await downloaded(page, name), testInfo.outputPath('sheet.pdf'))
    expect(said, name).toContain('1,204')
    expect(said, name).toContain('Vendedora: Íñiga Peña; Comprador: José Núñez')
  }

  await page.goto(`/verify/${id}`)
  await expect(main).toContainText('Documento íntegro y firmado.')
  for (const untold of ['45,213', 'Íñiga', 'José']) await expect(main).not.toContainText(untold)
})

test('instrument: refused for a signed document and for a role without the right to edit', async ({
  page,
  person,
  signedDeed,
  uploadedDeed,
  signedInAs,
}) => {
  const { main, link } = inMain(page)
  const signed = await signedDeed(person('titular'))
  await signedInAs('CLERK')
  const answer = await page.goto(`/dashboard/documents/${signed.id}/edit`)
  expect(answer?.status()).toBe(409)
  await expect(main.getByText(/^El estado del documento no permite esta acción/)).toBeVisible()
  const draft = await uploadedDeed()
  await page.context().clearCookies()
  await signedInAs('AUDITOR')
  await page.goto(`/dashboard/documents/${draft.id}`)
  await expect(link('Agregar datos del instrumento')).toHaveCount(0)
  expect((await page.goto(`/dashboard/documents/${draft.id}/edit`))?.status()).toBe(403)
})

async function downloaded(page: Page, name: string): Promise<Buffer> {
  const download = page.waitForEvent('download')
  await inMain(page).link(name).click()
  return readFileSync(await (await download).path())
}

function textOf(pdf: Buffer, path: string): string {
  writeFileSync(path, pdf)
  return judge('pdftotext')('-raw', path, '-').output.replace(/\s+/g, ' ')
}
