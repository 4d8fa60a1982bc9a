import { uploadDeed } from '#tests/e2e/support/deeds.ts'
import { expect, fillSigning, inMain } from '#tests/e2e/support/fixtures.ts'
import { codeOf, setUpApp } from '#tests/e2e/support/newcomers.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'
import { requirePresence } from '#tests/e2e/support/presence.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

const test = withOwnOffice()

/* Each signature is prepared, timestamped, verified and stored: many take a while on a busy machine. */
test.setTimeout(180_000)

test('batch: presence is proven once for the whole list', async ({
  page,
  demo,
  office,
  person,
}) => {
  const { button, field, main } = inMain(page)
  await requirePresence(page, person('administrador'), true)
  const [clerk, titular] = [person('CLERK'), person('titular')]
  const rows = officeDatabase(office.dataFolder)
  const [signer] = rows.all<{ id: string }>('select id from users where email = ?', titular.email)
  if (!signer) throw new Error('no notary')
  const deeds = [await uploadDeed(demo.origin, clerk), await uploadDeed(demo.origin, clerk)]
  const session = await openSession(demo.origin, clerk, deeds, [signer])
  const { secret } = await setUpApp(page, { ...titular, id: '', name: '' })
  // Half a minute goes by: the code that set the app up counts once.
  rows.change('update totp_factors set last_step = last_step - 2')
  rows.close()

  const address = `/dashboard/signing/batch?session=${session}`
  await page.goto(address)
  await expect(page).toHaveURL(/\/sign\/presence\?/)
  for (const { title } of deeds) await expect(main).toContainText(title)
  await field('Código de verificación').fill(codeOf(secret))
  await button('Confirmar con código').click()
  await expect(page).toHaveURL(address)
  await fillSigning(page, titular)
  await button('Firmar los marcados').click()
  await expect(main).toContainText('Se firmaron 2 de 2', { timeout: 120_000 })
})
