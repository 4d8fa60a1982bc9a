import { expect, fillSigning, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('complete document: another signature is asked for on purpose, and the public page keeps answering', async ({
  page,
  person,
  signedInAs,
  signedDeed,
}) => {
  const { main, link, button, field, text } = inMain(page)
  const titular = person('titular')
  const deed = await signedDeed(titular)
  const address = `/dashboard/documents/${deed.id}`
  await signedInAs('titular')
  await page.goto(address)
  await expect(link('Firmar')).toHaveCount(0)
  await page.goto(`${address}/sign`)
  await expect(main).toContainText('El documento ya está completo y no admite más firmas.')
  await expect(button('Firmar documento')).toHaveCount(0)

  await page.goto(address)
  await link('Pedir otra firma').click()
  await expect(main).toContainText('cambian su huella digital')
  await expect(main).toContainText('la verificación pública sigue respondiendo')
  await button('Preparar la sesión de firma').click()
  const understood = field('Leí lo que cambia y el documento necesita otra firma')
  await expect(understood).toHaveAccessibleDescription(/Marque la casilla/)
  await understood.check()
  await button('Preparar la sesión de firma').click()
  await expect(page).toHaveURL(/\/dashboard\/signing\/[0-9a-f-]{36}$/)
  const session = page.url()

  const fold = main.locator('details', { hasText: 'Agregar a una persona de la notaría' })
  const add = async (name: string) => {
    if (!(await fold.evaluate((element) => element.hasAttribute('open'))))
      await fold.locator('summary').click()
    await fold.getByLabel('Persona').selectOption({ label: name })
    await fold.getByRole('button', { name: 'Agregar firmante' }).click()
  }
  await add(`${titular.firstName} ${titular.lastName}`)
  const again = field('Pedirle que firme este documento otra vez')
  await expect(again).toHaveAccessibleDescription(/ya firmó este documento/)
  const suplente = person('suplente')
  await add(`${suplente.firstName} ${suplente.lastName}`)
  await expect(main.getByRole('listitem').filter({ hasText: 'Quitar firmante' })).toHaveCount(1)
  await link('Revisar y abrir').click()
  await button('Abrir sesión').click()
  await expect(text('Abierta')).toBeVisible()

  await page.goto(`/verify/${deed.id}`)
  await expect(main.getByRole('status')).toHaveText('Documento íntegro y firmado.')
  await expect(main).toContainText('En trámite. Este informe es de la última versión completa.')

  await page.goto(address)
  await expect(link('Paquete de evidencia (ZIP)')).toBeVisible()
  const sheet = page.waitForEvent('download')
  await link('Hoja de evidencia (PDF)').click()
  expect((await sheet).suggestedFilename()).toMatch(/^hoja de evidencia .*\.pdf$/)

  await signedInAs('suplente')
  await page.goto(`${address}/sign`)
  await fillSigning(page, suplente)
  await button('Firmar documento').click()
  await expect(page).toHaveURL(address)
  await expect(link('Firmar')).toHaveCount(0)
  await page.goto(session)
  await expect(text('Completada')).toBeVisible()
})

test('complete document of several signers: the page before another signature names them all', async ({
  page,
  person,
  signedInAs,
  signedDeed,
}) => {
  const signers = [person('titular'), person('suplente')]
  const deed = await signedDeed(...signers)
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}/further-signing`)
  const [first, second] = signers.map(({ firstName, lastName }) =>
    `${firstName} ${lastName}`.toLocaleUpperCase('es-MX'),
  )
  await expect(inMain(page).main).toContainText(
    `El documento está completo: lo firmaron ${first} y ${second}.`,
  )
})
