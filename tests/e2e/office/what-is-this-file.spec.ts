import { aFile, expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('certificate: the page says whose it is and what it is for', async ({
  page,
  demo,
  person,
  signedInAs,
  hasScripts,
}) => {
  const { main, link, field, button } = inMain(page)
  const file = field(hasScripts ? 'Archivos' : 'Certificado (.cer)')
  const choose = async (chosen: Parameters<typeof file.setInputFiles>[0]) => {
    await file.setInputFiles(chosen)
    if (!hasScripts) await button('Ver qué es').click()
  }
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/certificates')
  await link('¿Qué es este archivo?').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('¿Qué es este archivo?')
  const { cer, firstName, lastName } = person('titular')
  await choose(cer)
  await expect(main).toContainText('Certificado de e.firma de una persona física')
  await expect(main).toContainText(`${firstName} ${lastName}`.toUpperCase())
  await expect(main).toContainText('Dice haberlo emitido')
  const [expired, seal] = ['expired', 'csd'].map((wanted) =>
    demo.refused.find(({ kind }) => kind === wanted),
  )
  await choose(expired?.cer ?? '')
  await expect(main).toContainText('Ya venció: con él no se puede firmar.')
  await choose(seal?.cer ?? '')
  await expect(main).toContainText('Certificado de sello digital (CSD)')
  await expect(main).toContainText('no para firmar documentos')
  await choose(aFile('foto.cer', 'hola'))
  await expect(main).toContainText('No se reconoce este archivo')
})
