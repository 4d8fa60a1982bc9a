import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { aPdf, aTitle, downloadVersion, idIn, sha256Of } from '#tests/e2e/support/deeds.ts'
import { aFile, expect, fillSigning, inMain, signIn, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { judgePdf } from '#tests/e2e/support/judged-pdf.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

/** Its check character is right. */
const UNKNOWN_CODE = '9N6M-TKAD-9N6M-TKA8'

const root = () => path.join(process.env.DEMO_DATA ?? '', 'demo/authority/root.cer')

test('a clerk uploads a document, two notaries sign it and the public verifies it', async ({
  page,
  context,
  demo,
  person,
}) => {
  const { field, button, link, text, main } = inMain(page)
  const [pdf, title] = [aPdf(), aTitle('Compraventa')]

  await page.goto('/login')
  await signIn(page, person('CLERK'))
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/dashboard/documents')
  await link('Subir documento').click()
  await field('Título').fill(title)
  await field('Archivo PDF').setInputFiles(aFile('compraventa.pdf', pdf))
  await button('Subir').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(text('Borrador')).toBeVisible()
  await expect(link('Firmar')).toHaveCount(0)
  const id = idIn(page.url())

  const address = `/dashboard/documents/${id}`
  const signers = [person('titular'), person('suplente')].map(({ firstName, lastName }, index) => ({
    colleague: `${firstName} ${lastName}`,
    step: index + 1,
  }))
  await openSession(demo.origin, person('CLERK'), [{ id }], signers)
  const client = await signedInClient(demo.origin, person('CLERK'))
  const withSheet = await downloadVersion(client, { id }, 2)
  const first = await signAs('titular', 2, sha256Of(withSheet), 'En firma')
  const second = await signAs('suplente', 3, sha256Of(first), 'Firmado')

  expect(judgePdf(first, root())).toEqual({
    signatures: [
      { isValid: true, coversAll: true },
      // The empty field of the second signer.
      { isValid: false, coversAll: false },
    ],
    cms: [true],
    isSound: true,
  })
  expect(judgePdf(second, root())).toEqual({
    signatures: [
      { isValid: true, coversAll: false },
      { isValid: true, coversAll: true },
    ],
    cms: [true, true],
    isSound: true,
  })
  expect(second.subarray(0, first.length).equals(first), 'appended, never rewritten').toBe(true)
  expect(first.subarray(0, pdf.length).equals(pdf), 'appended, never rewritten').toBe(true)

  await link('Verificar').click()
  await expect(page).toHaveURL(`/verify/${id}`)
  await expect(main.getByRole('status')).toHaveText('Documento íntegro y firmado.')
  await expect(main).toContainText(sha256Of(second))
  await expect(main).not.toContainText(title)

  /** Signs the displayed document as this notary, and downloads it. */
  async function signAs(
    who: 'titular' | 'suplente',
    version: number,
    sha256: string,
    state: string,
  ) {
    const notary = person(who)
    await context.clearCookies()
    await page.goto(`/login?returnUrl=${encodeURIComponent(address)}`)
    await signIn(page, notary)
    await expect(page).toHaveURL(address)
    await expect(main).toContainText(sha256)
    await expectPagesShown(page)

    await link('Firmar').click()
    await expect(page).toHaveURL(`${address}/sign`)
    await expect(main).toContainText(title)
    await expect(main).toContainText(sha256)
    await expect(main).toContainText(`versión ${version}`)
    await expect(main).toContainText(`${notary.firstName} ${notary.lastName}`)
    await expectPagesShown(page)
    await fillSigning(page, notary)
    await button('Firmar documento').click()

    await expect(page).toHaveURL(address)
    await expect(text(state)).toBeVisible()
    await expect(link('Verificar')).toBeVisible()
    const download = page.waitForEvent('download')
    await link('Descargar firmado').click()
    return readFileSync(await (await download).path())
  }
})

/** Every picture is there, drawn. */
async function expectPagesShown(page: Page) {
  const pictures = page.getByRole('main').getByRole('img', { name: /^Página \d+ de \d+$/ })
  await expect(pictures.nth(1)).toBeVisible()
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
  }
}

test('verification code: typed in any form, it opens the verdict', async ({
  page,
  signedDeed,
  signedInAs,
}) => {
  const { field, button, main } = inMain(page)
  const deed = await signedDeed()
  await signedInAs('NOTARY')
  await page.goto(`/dashboard/documents/${deed.id}`)
  const code = (await main.textContent())?.match(/(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}/)?.[0] ?? ''

  for (const typed of [code, code.toLowerCase().replaceAll('-', ' '), deed.id]) {
    await page.goto('/verify/document')
    await field('Código de verificación').fill(typed)
    await button('Buscar').click()
    await expect(page).toHaveURL(`/verify/${deed.id}`)
    await expect(main.getByRole('status')).toHaveText('Documento íntegro y firmado.')
  }
})

test('verification code: an unknown code and a draft are not found, a mistyped code is named so', async ({
  page,
  uploadedDeed,
}) => {
  const { field, button, main } = inMain(page)
  const draft = await uploadedDeed()
  const lookUp = async (typed: string) => {
    await page.goto('/verify/document')
    await field('Código de verificación').fill(typed)
    await button('Buscar').click()
  }
  for (const typed of [UNKNOWN_CODE, draft.id]) {
    await lookUp(typed)
    await expect(main.getByRole('status')).toHaveText(
      'No encontrado. Esto no significa que sea falso.',
    )
  }
  for (const typed of [`${UNKNOWN_CODE.slice(0, -1)}7`, UNKNOWN_CODE.slice(5), '2026-000001']) {
    await lookUp(typed)
    await expect(main).toContainText('Este código no está completo o tiene un error.')
    await expect(field('Código de verificación')).toHaveValue(typed)
    await expect(main.getByRole('status')).toHaveCount(0)
  }
  const answer = await page.goto(`/verify/${draft.id}`)
  expect(answer?.status()).toBe(404)
  expect(answer?.headers()['x-robots-tag']).toContain('noindex')
})
