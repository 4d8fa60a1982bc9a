import { expectNoViolations, violationsOn } from '#tests/e2e/support/accessibility.ts'
import { aPdf, changedLater, downloadVersion } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, inMain, signIn, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import {
  ACCOUNT_STOPS,
  DASHBOARD_STOPS,
  PUBLIC_STOPS,
  pathsOfThings,
  stopsOf,
  stopsOfDraft,
} from '#tests/e2e/support/site-map.ts'
import { findThings } from '#tests/e2e/support/things.ts'

test('accessibility: public pages and error pages break no rule', async ({ page }) => {
  test.slow()
  for (const path of [...PUBLIC_STOPS.map((stop) => stop.path), '/nada', '/verify/no-es'])
    await expectNoViolations(page, path)
  await page.goto('/login')
  await signIn(page, { email: 'sin arroba', password: '' })
  await expect(page.getByText('Escriba su contraseña.')).toBeVisible()
  expect(await violationsOn(page)).toEqual([])
})

test('accessibility: pages of every verdict break no rule', async ({
  page,
  demo,
  person,
  signedDeed,
}) => {
  test.setTimeout(120_000)
  const deed = await signedDeed()
  await expectNoViolations(page, `/verify/${deed.id}`)
  const client = await signedInClient(demo.origin, person('NOTARY'))
  const signed = await downloadVersion(client, deed, 2)
  const { main, field, button } = inMain(page)
  const sent = [
    [signed, 'Documento íntegro y firmado.'],
    [changedLater(signed), 'Cómo se firmó y cómo está ahora'],
    [aPdf(), 'El documento no tiene firmas electrónicas.'],
    [Buffer.from('Estimado licenciado:'), 'El archivo no es un PDF.'],
  ] as const
  for (const [content, said] of sent) {
    await page.goto('/verify/document')
    await field('Archivo PDF').setInputFiles(aFile('escritura.pdf', content))
    await field('Constancia NOM-151 (opcional)').setInputFiles(
      aFile('constancia.tsr', Buffer.from('no es una constancia')),
    )
    await button('Verificar archivo').click()
    await expect(main).toContainText(said)
    expect([said, await violationsOn(page)]).toEqual([said, []])
  }
  await page.goto('/verify/document')
  await button('Informe de verificación en PDF').click()
  await expect(page.getByText('Elija el archivo PDF que quiere verificar.')).toBeVisible()
  expect(await violationsOn(page)).toEqual([])
})

// Many pages a test: a browser and a sign-in for each would take longer than the pages.
const PAGES_OF_A_TEST = 15
const dashboard = [...DASHBOARD_STOPS.map((stop) => stop.path), '/dashboard/nada']
for (let first = 0; first < dashboard.length; first += PAGES_OF_A_TEST) {
  const some = dashboard.slice(first, first + PAGES_OF_A_TEST)
  test(`accessibility: pages from ${some[0]} to ${some.at(-1)} break no rule`, async ({
    page,
    signedInAs,
  }) => {
    test.setTimeout(120_000)
    await signedInAs('titular')
    for (const path of some) await expectNoViolations(page, path)
  })
}

test('accessibility: the pages of single things and of the way in break no rule', async ({
  page,
  demo,
  person,
  signedInAs,
  signedDeed,
}) => {
  test.setTimeout(240_000)
  const [reader, clerk] = [person('titular'), person('CLERK')]
  const things = await findThings({ demo, reader, clerk, signed: await signedDeed() })
  await signedInAs('titular')
  const found: string[] = []
  for (const path of [...pathsOfThings(things), ...ACCOUNT_STOPS]) {
    const answer = await page.goto(path)
    expect([path, answer?.status()]).toEqual([path, 200])
    for (const violation of await violationsOn(page)) found.push(`${path}: ${violation}`)
  }
  expect(found).toEqual([])
})

test('accessibility: dashboard menus break no rule', async ({ page, signedInAs }) => {
  await signedInAs('titular')
  await page.goto('/dashboard')
  await page.getByRole('banner').getByText('MN', { exact: true }).click()
  expect(await violationsOn(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.locator('summary[aria-label="Menú"]').click()
  expect(await violationsOn(page)).toEqual([])
})

test('accessibility: the pages of a document break no rule', async ({
  page,
  signedInAs,
  signedDeed,
  uploadedDeed,
}) => {
  test.setTimeout(180_000)
  const deed = await signedDeed()
  const draft = await uploadedDeed()
  const notary = await signedInAs('suplente')
  for (const { path } of [...stopsOf(deed), ...stopsOfDraft(draft)])
    await expectNoViolations(page, path)
  await page.goto(`/dashboard/documents/${draft.id}/sign`)
  const { field, button } = inMain(page)
  await field('Certificado (.cer)').setInputFiles(notary.key)
  await field('Clave privada (.key)').setInputFiles(notary.key)
  await button('Firmar documento').click()
  await expect(page.getByText('Escriba la contraseña de la clave privada.')).toBeVisible()
  expect(await violationsOn(page)).toEqual([])
})
