import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('private key that was sent by mistake: is called so, and that the server erased it', async ({
  page,
  person,
  signedInAs,
}) => {
  const { main, field, button } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/dashboard/certificates/file')
  await expect(main).toContainText('Una clave privada no debe enviarse a nadie')
  await button('Ver qué es').click()
  await expect(main).toContainText('Elija un archivo .cer que no esté vacío.')
  await field('Certificado (.cer)').setInputFiles(person('CLERK').key)
  await button('Ver qué es').click()
  await expect(main).toContainText('Clave privada (.key)')
  await expect(main).toContainText('lo borró sin guardarlo')
})
