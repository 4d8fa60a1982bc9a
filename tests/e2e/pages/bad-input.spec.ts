import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import {
  aFile,
  expect,
  type FileInput,
  fillSigning,
  inMain,
  signIn,
  test,
} from '#tests/e2e/support/fixtures.ts'
import { anotherBrowser } from '#tests/e2e/support/guest-pages.ts'
import { judge } from '#tests/support/judges.ts'

test('invalid files: refused at the field, and the title is kept', async ({
  page,
  person,
  signedInAs,
}) => {
  const { field, button, main, text } = inMain(page)
  const { cer, key } = person('titular')
  const pdf = aPdf()
  const cases: [string, FileInput, string][] = [
    [
      'a letter',
      aFile('carta.pdf', 'Estimado licenciado'),
      'El archivo no es un PDF. Elija el PDF del documento.',
    ],
    [
      'nothing',
      aFile('vacío.pdf', ''),
      'No se eligió ningún archivo, o está vacío. Elija el PDF del documento.',
    ],
    [
      'half a PDF',
      aFile('medio.pdf', pdf.subarray(0, 300)),
      'El PDF está dañado o incompleto y no se puede leer. Guárdelo de nuevo y súbalo otra vez.',
    ],
    [
      'an encrypted PDF',
      aFile('protegido.pdf', encrypted(pdf)),
      'El PDF está protegido con contraseña. Guárdelo sin protección y súbalo otra vez.',
    ],
    [
      "a PDF with an owner's password",
      aFile('restringido.pdf', encrypted(pdf, '')),
      'El PDF está protegido contra cambios: se puede leer, pero no se le pueden agregar firmas. Pida a quien lo hizo una copia sin esa protección. Si no trae firmas, también puede abrirlo, imprimirlo como PDF y subir el archivo que resulte.',
    ],
    [
      'a private key',
      // With its own name the page would not send it.
      aFile('clave.pdf', readFileSync(key)),
      'Es la clave privada de una e.firma, no un documento. No se guardó: no la comparta con nadie.',
    ],
    [
      'a certificate',
      cer,
      'Es un certificado (.cer), no un documento. Elija el PDF del documento.',
    ],
  ]
  await signedInAs('CLERK')
  const title = aTitle('Rechazado')
  await page.goto('/dashboard/documents/new')
  for (const [name, file, sentence] of cases)
    await test.step(name, async () => {
      await field('Título').fill(title)
      await field('Archivo PDF').setInputFiles(file)
      // Of the form; with scripts, of the call that refuses the file.
      const answer = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.status() === 422,
      )
      await button('Subir').click()
      await answer
      await expect(field('Archivo PDF')).toHaveAccessibleDescription(new RegExp(escaped(sentence)))
      await expect(field('Título')).toHaveValue(title)
    })
  await page.goto('/dashboard/documents')
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(text(title)).toHaveCount(0)
})

const escaped = (sentence: string) => sentence.replace(/[.()]/g, '\\$&')

function encrypted(pdf: Uint8Array, password = 'abrir'): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-encrypted-'))
  const [plain, locked] = [path.join(folder, 'plain.pdf'), path.join(folder, 'locked.pdf')]
  try {
    writeFileSync(plain, pdf)
    judge('qpdf')('--encrypt', password, 'dueño', '256', '--', plain, locked)
    return readFileSync(locked)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('double click on "Subir": stores one document', async ({ page, signedInAs }) => {
  const { field, button, main } = inMain(page)
  await signedInAs('CLERK')
  const title = aTitle('Doble')
  await page.goto('/dashboard/documents/new')
  await field('Título').fill(title)
  await field('Archivo PDF').setInputFiles(aFile('doble.pdf', aPdf()))
  await button('Subir').dblclick({ noWaitAfter: true })
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
  await page.goto(`/dashboard/documents?text=${encodeURIComponent(title)}`)
  await expect(main.getByRole('link', { name: title })).toHaveCount(1)
})

test('double click on "Firmar documento": stores one signature', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const { button, main, text } = inMain(page)
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed()
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await fillSigning(page, notary)
  await button('Firmar documento').dblclick({ noWaitAfter: true })
  await page.waitForURL((url) => !url.pathname.endsWith('/sign'))
  await page.goto(`/dashboard/documents/${deed.id}`)
  await expect(text('Firmado')).toBeVisible()
  await expect(main).toContainText('quedó la versión 2')
  await expect(main).not.toContainText('versión 3')
})

test('document signed meanwhile: the second signer is told and loses no input', async ({
  page,
  browser,
  demo,
  person,
  hasScripts,
  signedInAs,
  uploadedDeed,
}) => {
  const [first, second] = [await signedInAs('titular'), person('suplente')]
  const deed = await uploadedDeed()
  const other = await anotherBrowser(browser, demo, hasScripts)
  await other.goto('/login')
  await signIn(other, second)
  await expect(other).toHaveURL('/dashboard')
  for (const [tab, notary] of [
    [page, first],
    [other, second],
  ] as const) {
    await tab.goto(`/dashboard/documents/${deed.id}/sign`)
    await fillSigning(tab, notary)
  }
  await inMain(page).button('Firmar documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
  await inMain(other).button('Firmar documento').click()
  const refusal = other.locator('main [role=alert]:visible')
  await expect(refusal).toContainText('El documento ya está completo y no admite más firmas.')
  await expect(refusal).toBeInViewport()
  if (hasScripts)
    await expect(inMain(other).field('Contraseña de la clave privada')).toHaveValue(
      second.keyPassword,
    )
  await other.goto(`/dashboard/documents/${deed.id}`)
  await expect(inMain(other).main).not.toContainText('versión 3')
  await other.context().close()
})
