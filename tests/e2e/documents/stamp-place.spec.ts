import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import { lines, STAMPED } from '#tests/support/pdf/stamped-pdfs.ts'

/** A page that arrived signed, with text from 78 to `top` points above its lower edge. */
async function arrived(top = 300, entries = ''): Promise<Uint8Array> {
  const bodies = STAMPED.bodies({ content: lines(78, top) })
  return await handSigned({ seal: sealOf(await testEfirma()), bodies, entries })
}

test('place of the stamp: chosen from the blank places of a page, shown to the signer', async ({
  page,
  hasScripts,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(await arrived())
  const { main, link, button } = inMain(page)
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await expect(main).toContainText('La siguiente firma se verá en la página 1, a media página')
  await link('Elegir el lugar').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}/stamp`)
  await expect(main.getByRole('img', { name: 'Página 1 de 1' })).toBeVisible()
  await expect(main.getByRole('radio')).toHaveCount(7)
  await main.getByLabel('1. Arriba a la izquierda').check()
  await button('Guardar lugar').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
  await expect(messageOn(page, hasScripts)).toHaveText('El lugar de la firma se guardó.')
  await expect(main).toContainText('se verá en la página 1, arriba a la izquierda.')

  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await expect(main).toContainText(
    'Se verá en la página 1, arriba a la izquierda, en un lugar en blanco.',
  )

  await page.goto(`/dashboard/documents/${deed.id}/stamp`)
  await expect(main.getByLabel('El que ya está elegido')).toBeChecked()
  await main.getByLabel('El que encuentre el programa').check()
  await button('Guardar lugar').click()
  await expect(main).toContainText('La siguiente firma se verá en la página 1, a media página')
})

test('place of the stamp: pointed at on the page; where there is content, the nearest blank place', async ({
  page,
  hasScripts,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(await arrived())
  const { main, button } = inMain(page)
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}/stamp`)
  const sheet = main.getByRole('button', { name: 'Señalar un lugar en la página' })
  if (!hasScripts) {
    // Only the list: nothing says that the page can be pointed at.
    await expect(sheet).toHaveCount(0)
    await expect(main).not.toContainText('Señale en la página')
    return
  }
  const { width = 0, height = 0 } = (await sheet.boundingBox()) ?? {}
  await sheet.click({ position: { x: width / 2, y: height * 0.75 } })
  await expect(main.getByLabel('Donde señaló')).toBeChecked()
  await button('Guardar lugar').click()
  await expect(main).toContainText('se verá en la página 1, a media página al centro.')
})

test('place of the stamp: not to be chosen on a full page, or where a certification forbids it', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const full = await uploadedDeed(await arrived(785))
  const entries = '/Reference[<</TransformMethod/DocMDP/TransformParams<</P 2>>>>]'
  const certified = await uploadedDeed(await arrived(300, entries))
  const { main, button, link } = inMain(page)
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${certified.id}/stamp`)
  await expect(main).toContainText('el archivo llegó certificado')
  await expect(button('Guardar lugar')).toHaveCount(0)
  await page.goto(`/dashboard/documents/${certified.id}/sign`)
  await expect(main).toContainText(
    'La firma no se verá en las páginas: el archivo llegó certificado',
  )

  await page.goto(`/dashboard/documents/${full.id}/stamp?pagina=77&x=500&y=20`)
  await expect(main).toContainText('Lugares en blanco de la página 1')
  await expect(main.getByLabel('2. Abajo a la derecha')).toBeVisible()
  await expect(main.getByRole('radio')).toHaveCount(4)
  await expect(link('Página siguiente')).toHaveCount(0)
})
