import { signingParts, uploadDeed } from '#tests/e2e/support/deeds.ts'
import { expect, fillSigning, inMain } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { codeOf, setUpApp } from '#tests/e2e/support/newcomers.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'
import { evidenceOn, requirePresence } from '#tests/e2e/support/presence.ts'

const test = withOwnOffice()

test('presence: without scripts a code proves it', async ({ page, demo, office, person }) => {
  const { button, field, link, main } = inMain(page)
  await requirePresence(page, person('administrador'), false)
  const titular = person('titular')
  const deed = await uploadDeed(demo.origin, person('CLERK'))
  const address = `/dashboard/documents/${deed.id}`
  const rows = officeDatabase(office.dataFolder)
  const unproven = await signedInClient(demo.origin, titular)
  const { secret } = await setUpApp(page, { ...titular, id: '', name: '' })
  // Half a minute goes by: the code that set the app up counts once.
  rows.change('update totp_factors set last_step = last_step - 2')

  await page.goto(address)
  await link('Firmar').click()
  await expect(page).toHaveURL(`${address}/sign/presence`)
  await expect(main).toContainText(deed.sha256.slice(0, 8))
  await field('Código de verificación').fill('000000')
  await button('Confirmar con código').click()
  await expect(main.getByRole('alert')).toContainText('El código no es correcto.')
  await field('Código de verificación').fill('')
  await button('Confirmar con código').click()
  await expect(field('Código de verificación')).toHaveAccessibleDescription(
    /Escriba los seis dígitos/,
  )
  // Without presence, a direct request is refused too.
  await unproven.postParts(`${address}/sign/without-scripts`, signingParts(titular))
  expect(rows.all('select id from signatures where document_id = ?', deed.id)).toEqual([])

  await field('Código de verificación').fill(codeOf(secret))
  await button('Confirmar con código').click()
  await expect(page).toHaveURL(`${address}/sign`)
  await expect(main.getByRole('alert')).toContainText('Su presencia quedó comprobada.')
  await fillSigning(page, titular)
  await button('Firmar documento').click()
  await expect(page).toHaveURL(address)
  await expect(main).toContainText('Presencia comprobada con código de la aplicación')
  const { proofs } = JSON.parse(await evidenceOn(page, deed.id))
  expect(proofs).toMatchObject([{ means: { method: 'totp' } }])
  rows.close()
})
