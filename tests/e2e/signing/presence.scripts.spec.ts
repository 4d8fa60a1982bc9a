import { signingParts, uploadDeed } from '#tests/e2e/support/deeds.ts'
import { expect, fillSigning, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'
import { evidenceOn, requirePresence, verifiedIntent } from '#tests/e2e/support/presence.ts'
import { connectedKey } from '#tests/e2e/support/virtual-key.ts'

const test = withOwnOffice()

const KEY_BUTTON = 'Usar llave de seguridad'

test('presence: a security key proves it, and the signature records it', async ({
  page,
  demo,
  person,
}) => {
  const { button, link, main } = inMain(page)
  await requirePresence(page, person('administrador'), true)
  const titular = person('titular')
  const deed = await uploadDeed(demo.origin, person('CLERK'))
  const other = await uploadDeed(demo.origin, person('CLERK'))
  const address = `/dashboard/documents/${deed.id}`

  // A user without a factor is told what to do, and no other path leads around it.
  await page.goto('/login')
  await signIn(page, titular)
  await expect(page).toHaveURL('/dashboard')
  await page.goto(`${address}/sign`)
  await expect(page).toHaveURL(`${address}/sign/presence`)
  await expect(link('Configurar el segundo paso')).toBeVisible()
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await page.setViewportSize(size)
  const client = await signedInClient(demo.origin, titular)
  const forced = await client.postParts(`${address}/sign/without-scripts`, signingParts(titular))
  expect([forced.status, forced.headers.location]).toEqual([302, `${address}/sign/presence`])

  const key = await connectedKey(page)
  await page.goto('/setup-mfa/key')
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL(/\/setup-mfa\/backup-codes/)
  await page.goto(address)
  await link('Firmar').click()
  await expect(page).toHaveURL(`${address}/sign/presence`)
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Confirme su presencia')
  await expect(main).toContainText(deed.title)
  await expect(main).toContainText('no es una firma electrónica')

  // A key without user verification proves that something is connected, but not who uses it.
  await key.concealsVerification(true)
  await button(KEY_BUTTON).click()
  await expect(main.getByRole('alert')).toContainText('La llave no se aceptó.')
  await key.concealsVerification(false)
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL(`${address}/sign`)
  await expect(main).toContainText('Su presencia quedó comprobada.')

  // For this document and no other.
  await page.goto(`/dashboard/documents/${other.id}/sign`)
  await expect(page).toHaveURL(`/dashboard/documents/${other.id}/sign/presence`)
  await page.goto(`${address}/sign`)
  await expect(page).toHaveURL(`${address}/sign`)
  await fillSigning(page, titular)
  await button('Firmar documento').click()
  await expect(page).toHaveURL(address)
  await expect(main).toContainText(
    /Presencia comprobada con llave de seguridad, \d+ \w+ \d{4}, \d\d:\d\d \(hora del centro\)/,
  )
  await expect(link('Descargar evidencia de presencia')).toBeVisible()
  const evidence = await evidenceOn(page, deed.id)
  const { format, proofs } = JSON.parse(evidence)
  expect(format).toBe('rubrica-presence')
  expect(proofs).toMatchObject([{ means: { method: 'webauthn' } }])
  expect(JSON.parse(proofs[0].list)).toMatchObject([{ document: deed.id, sha256: deed.sha256 }])

  expect(verifiedIntent(evidence, demo.origin)).toBe(0)
  expect(verifiedIntent(evidence, 'https://otra.example')).toBe(1)
  const ofOther = evidence.replaceAll(deed.sha256, other.sha256)
  expect(verifiedIntent(ofOther, demo.origin)).toBe(1)

  // The document is complete: nothing is left to prove presence for.
  await page.goto(`${address}/sign`)
  await expect(page).toHaveURL(`${address}/sign`)
  await expect(main).toContainText('no admite más firmas')
})

test('presence: several documents are proven as one list', async ({ page, demo, person }) => {
  const { button, main } = inMain(page)
  await requirePresence(page, person('administrador'), true)
  const suplente = person('suplente')
  const deeds = [
    await uploadDeed(demo.origin, person('CLERK')),
    await uploadDeed(demo.origin, person('CLERK')),
  ]
  await page.goto('/login')
  await signIn(page, suplente)
  await expect(page).toHaveURL('/dashboard')
  await connectedKey(page)
  await page.goto('/setup-mfa/key')
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL(/\/setup-mfa\/backup-codes/)
  const [first, second] = deeds
  const back = `/dashboard/documents/${second!.id}/sign`
  await page.goto(
    `/dashboard/documents/${first!.id}/sign/presence?document=${second!.id}&returnUrl=${back}`,
  )
  await expect(main.getByRole('heading', { level: 2 }).last()).toHaveText('2 documentos')
  await button(KEY_BUTTON).click()
  await expect(page).toHaveURL(back)
  await page.goto(`/dashboard/documents/${first!.id}/sign`)
  await expect(page).toHaveURL(`/dashboard/documents/${first!.id}/sign`)
  const { proofs } = JSON.parse(await evidenceOn(page, first!.id))
  expect(JSON.parse(proofs[0].list)).toHaveLength(2)
})
