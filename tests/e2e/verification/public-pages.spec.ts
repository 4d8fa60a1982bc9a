import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { clientOf } from '#tests/e2e/support/http.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** What differs between any two answers. */
const plain = (text: string, id: string) =>
  text
    .replaceAll(/nonce="[^"]+"|data-csrf="[^"]+"|name="csrf" value="[^"]+"|"csrf","[^"]+"/g, '')
    .replaceAll(id, 'ID')

test('pages on the public page: shown with the consent of the signer, hidden when it is withdrawn', async ({
  page,
  browser,
  demo,
  hasScripts,
  signedDeed,
  signedInAs,
}) => {
  const deed = await signedDeed()
  const stranger = clientOf(demo.origin)
  const answers = async (id: string) => {
    const paths = [
      `/verify/${id}/pages`,
      `/verify/${id}/pages.data`,
      `/verify/${id}/pages/1.png?width=640`,
    ]
    const asked = []
    for (const path of paths) asked.push(await stranger.get(path))
    return asked.map(({ status, text }) => ({ status, text: plain(text, id) }))
  }
  const nothing = await answers(UNKNOWN)
  expect(nothing.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(await answers(deed.id)).toEqual(nothing)

  const { main, button } = inMain(page)
  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await expect(main).toContainText('Falta el consentimiento de')
  await expect(button('Mostrar las páginas')).toHaveCount(0)
  await main.getByLabel(/^Consiento que cualquier persona/).check()
  await button('Guardar mi decisión').click()
  await expect(messageOn(page, hasScripts)).toHaveText('Su decisión quedó registrada.')
  await button('Mostrar las páginas').click()
  await expect(main).toContainText('Se muestran: quien verifica el documento')

  const context = await browser.newContext({ javaScriptEnabled: hasScripts, baseURL: demo.origin })
  const visitor = await context.newPage()
  await visitor.goto(`/verify/${deed.id}`)
  await visitor.getByRole('link', { name: 'Comparar las páginas con el papel' }).click()
  await expect(visitor).toHaveURL(`/verify/${deed.id}/pages`)
  const picture = visitor.getByRole('img', { name: 'Página 1 de 3 del documento firmado' })
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(600)
  await visitor.getByRole('link', { name: 'Siguiente' }).first().click()
  await expect(
    visitor.getByRole('img', { name: 'Página 2 de 3 del documento firmado' }),
  ).toBeVisible()
  await context.close()

  await page.goto(`/dashboard/documents/${deed.id}`)
  await main.getByLabel(/^Consiento que cualquier persona/).uncheck()
  await button('Guardar mi decisión').click()
  await expect(main).toContainText('No se muestran.')
  expect(await answers(deed.id)).toEqual(nothing)
})
