import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('upload: each of several files becomes a document, and a bad file does not stop the others', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  const title = aTitle('Créditos')
  const files = [
    aFile('poder ñ.pdf', aPdf()),
    aFile('carta.pdf', 'Estimado licenciado'),
    aFile('acta.pdf', aPdf()),
  ] as { name: string; mimeType: string; buffer: Buffer }[]
  const give = async () => {
    await field('Título').fill(title)
    await field('Archivo PDF').setInputFiles(files)
    // With scripts, to the part of the file that is refused; else to the form.
    const answered = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 422,
    )
    await button('Subir').click()
    await answered
  }
  await page.goto('/dashboard/documents/new')
  await expect(main).toContainText('su título lleva además el nombre del archivo')
  await give()
  await expect(main.getByRole('alert')).toHaveText(
    'Quedaron guardados 2 documentos. 1 archivo no se subió.',
  )
  const refused = main.getByRole('listitem').filter({ hasText: 'carta.pdf' })
  await expect(refused.first()).toContainText(
    'El archivo no es un PDF. Elija el PDF del documento.',
  )
  const both = [`${title} · poder ñ`, `${title} · acta`]
  for (const name of both)
    await expect(main.getByRole('link', { name: `Ver ${name}` })).toBeVisible()
  // The page keeps the file that was refused, with a title of its own; what was typed comes back without it.
  if (hasScripts) {
    await expect(field('Título de carta.pdf')).toHaveValue(`${title} · carta`)
    await button('Quitar carta.pdf').click()
  }
  await expect(field('Título')).toHaveValue(title)

  await give()
  await main.getByRole('link', { name: 'Crear sesión con estos' }).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Nueva sesión de firma')
  await field('Título').fill(title)
  await expect(main.getByRole('checkbox', { name: title })).toHaveCount(2)
  for (const name of both) await expect(main.getByRole('checkbox', { name })).toBeChecked()
  await button('Crear sesión').click()
  for (const name of both) await expect(main.getByRole('link', { name })).toBeVisible()
})

test('upload: several files without a title are named after their files', async ({
  page,
  signedInAs,
}) => {
  const { field, button, main, link } = inMain(page)
  await signedInAs('CLERK')
  const names = [aTitle('poder'), aTitle('acta')]
  const files = names.map((name) => aFile(`${name}.pdf`, aPdf())) as never[]
  await page.goto('/dashboard/documents/new')
  await field('Archivo PDF').setInputFiles(files)
  await button('Subir').click()
  await expect(main.getByRole('alert')).toHaveText('Quedaron guardados 2 documentos.')
  await link(`Ver ${names[1]}`).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(names[1] ?? '')
})

test('upload: a single file requires a title, which its name fills in if scripts run', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  const name = aTitle('poder')
  await page.goto('/dashboard/documents/new')
  await field('Archivo PDF').setInputFiles(aFile(`${name}.pdf`, aPdf()))
  if (hasScripts) {
    await expect(field('Título')).toHaveValue(name)
    await field('Título').fill('')
    await button('Subir').click()
    await expect(page.locator('main input:invalid')).toHaveAttribute('name', 'title')
  } else {
    await button('Subir').click()
    await expect(main).toContainText('Escriba el título del documento, hasta 200 caracteres.')
  }
})

test('upload: the page confirms how many files were stored', async ({ page, signedInAs }) => {
  const { field, button, main } = inMain(page)
  await signedInAs('LAWYER')
  const title = aTitle('Todos')
  await page.goto('/dashboard/documents/new')
  await field('Título').fill(title)
  await field('Archivo PDF').setInputFiles([
    aFile('uno.pdf', aPdf()),
    aFile('dos.pdf', aPdf()),
  ] as never)
  await button('Subir').click()
  await expect(main.getByRole('alert')).toHaveText('Quedaron guardados 2 documentos.')
  await expect(main.getByText('No se subieron')).toHaveCount(0)
  await main.getByRole('link', { name: `Ver ${title} · dos` }).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(`${title} · dos`)
})
