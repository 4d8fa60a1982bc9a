import type { Page } from '@playwright/test'
import { openPage } from '#tests/e2e/support/client-state.ts'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

const UPLOAD = '/dashboard/documents/new'

/** Drops files as a person does with the mouse, over an element that has nothing to do with the form. */
async function drop(page: Page, files: { name: string; content: Uint8Array | string }[]) {
  const transfer = await page.evaluateHandle(
    (all) => {
      const made = new DataTransfer()
      for (const { name, bytes } of all)
        made.items.add(new File([new Uint8Array(bytes)], name, { type: 'application/pdf' }))
      return made
    },
    files.map(({ name, content }) => ({ name, bytes: [...Buffer.from(content)] })),
  )
  const heading = page.getByRole('heading', { level: 1 })
  await heading.dispatchEvent('dragenter', { dataTransfer: transfer })
  await expect(page.getByText('Suelte los archivos para agregarlos')).toBeVisible()
  await heading.dispatchEvent('drop', { dataTransfer: transfer })
  await expect(page.getByText('Suelte los archivos para agregarlos')).toHaveCount(0)
}

test('chosen file: shown with its size, its name gives title and kind, and it can be taken out', async ({
  page,
  signedInAs,
}) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  const list = main.getByRole('list', { name: 'Archivos elegidos' })
  await field('Archivo PDF').setInputFiles(aFile('Poder Núñez.pdf', '%PDF-1.7'.padEnd(2048)))
  await expect(list.getByRole('listitem')).toContainText('Poder Núñez.pdf 2 KB')
  await expect(field('Título')).toHaveValue('Poder Núñez')
  await expect(field('Tipo de documento')).toHaveValue('power-of-attorney')
  await expect(main).toContainText('Lo sugiere el nombre del archivo')
  await button('Quitar Poder Núñez.pdf').click()
  await expect(list).toHaveCount(0)
  await expect(field('Título')).toHaveValue('')
  await expect(field('Tipo de documento')).toHaveValue('other')
  // What the user says goes before the name.
  await field('Título').fill('Crédito')
  await field('Tipo de documento').selectOption('act')
  await field('Archivo PDF').setInputFiles(aFile('poder.pdf', aPdf()))
  await expect(field('Título')).toHaveValue('Crédito')
  await expect(field('Tipo de documento')).toHaveValue('act')
})

test('dropped files: added wherever they are dropped, each with its title and kind', async ({
  page,
  signedInAs,
}) => {
  const { field, button, main, link } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  const [power, act] = [aTitle('poder'), aTitle('acta')]
  const changed = aTitle('Poder general')
  await drop(page, [{ name: `${power}.pdf`, content: aPdf() }])
  await expect(field('Título')).toHaveValue(power)
  await drop(page, [{ name: `${act}.pdf`, content: aPdf() }])
  await expect(field(`Tipo de documento de ${act}.pdf`)).toHaveValue('act')
  await field(`Título de ${power}.pdf`).fill(changed)
  await field(`Tipo de documento de ${power}.pdf`).selectOption('testimony')
  await button('Subir').click()
  await expect(main.getByRole('alert')).toHaveText('Quedaron guardados 2 documentos.')
  await link(`Ver ${changed}`).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(changed)
  await expect(main).toContainText('Testimonio')
})

test('title longer than the limit: kept whole, its length said, and nothing sent', async ({
  page,
  signedInAs,
}) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  const long = 'ñ'.repeat(205)
  await field('Archivo PDF').setInputFiles([
    aFile(`${long}.pdf`, aPdf()),
    aFile('acta.pdf', aPdf()),
  ] as never)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1
  })
  await button('Subir').click()
  const title = field(`Título de ${long}.pdf`)
  await expect(title).toBeFocused()
  await expect(title).toHaveValue(long)
  await expect(title).toHaveAccessibleDescription(
    'El título tiene 205 caracteres y el límite es 200: acórtelo.',
  )
  // And the same for a single file.
  await button('Quitar acta.pdf').click()
  await button(`Quitar ${long}.pdf`).click()
  await field('Archivo PDF').setInputFiles(aFile(`${long}.pdf`, aPdf()))
  await expect(field('Título')).toHaveValue(long)
  await button('Subir').click()
  await expect(field('Título')).toBeFocused()
  await expect(main).toContainText('El título tiene 205 caracteres y el límite es 200: acórtelo.')
  expect(sent).toBe(0)
})

test('private key among the chosen files: named, and never sent', async ({ page, signedInAs }) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  await openPage(page, UPLOAD)
  const title = aTitle('acta')
  await field('Archivo PDF').setInputFiles([
    aFile(`${title}.pdf`, aPdf()),
    aFile('mi.key', 'CLAVE-PRIVADA'),
  ] as never)
  await expect(main.getByRole('listitem').filter({ hasText: 'mi.key' })).toContainText(
    'Es la clave privada de una e.firma, no un documento. No se envió',
  )
  const bodies: string[] = []
  page.on('request', (request) => bodies.push(request.postData() ?? ''))
  await button('Subir').click()
  await expect(main.getByRole('alert')).toHaveText(
    'Quedó guardado 1 documento. 1 archivo no se subió.',
  )
  expect(bodies.join()).not.toContain('CLAVE-PRIVADA')
})

test('files chosen before the scripts came: in the list once they run', async ({
  page,
  signedInAs,
}) => {
  const { field, main } = inMain(page)
  await signedInAs('CLERK')
  const { promise: scriptsCome, resolve: letScriptsCome } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scriptsCome
    await route.continue()
  })
  await page.goto(UPLOAD, { waitUntil: 'commit' })
  await field('Archivo PDF').setInputFiles([
    aFile('uno.pdf', aPdf()),
    aFile('dos.pdf', aPdf()),
  ] as never)
  letScriptsCome()
  await expect(
    main.getByRole('list', { name: 'Archivos elegidos' }).getByRole('listitem'),
  ).toHaveCount(2)
})
