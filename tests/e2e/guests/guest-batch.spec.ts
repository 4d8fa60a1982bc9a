import type { Page } from '@playwright/test'
import { expect, fillSigning, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { agree, openLink } from '#tests/e2e/support/guest-pages.ts'

/* Each signature is prepared, timestamped, verified and stored: several take a while on a busy machine. */
test.setTimeout(180_000)

const SLOW = { timeout: 120_000 }

const rowOf = (page: Page, title: string) =>
  inMain(page).main.getByRole('listitem').filter({ hasText: title })

test('external signer: signs three documents after choosing the key once', async ({
  page,
  demo,
  person,
  uploadedDeed,
  hasScripts,
}) => {
  const { main, button, link, text } = inMain(page)
  const deeds = [await uploadedDeed(), await uploadedDeed(), await uploadedDeed()]
  const [first, , last] = deeds
  if (!first || !last) throw new Error('no deeds')
  const asked = await inviteGuest(demo, deeds, person('CLERK'), person('suplente'))
  await openLink(page, `${demo.origin}/sign#${await asked.newCode()}`, hasScripts)
  await expect(page).toHaveURL(/\/sign\/documents/)
  await page.goto('/sign/batch')
  await expect(page).toHaveURL(/\/sign\/documents/)
  await agree(page)
  await link('Firmar los 3 documentos').click()
  await expect(page).toHaveURL(/\/sign\/batch(?:#contenido)?$/)
  await expect(main).toContainText(asked.rfc)
  await expect(link(`Leer ${first.title}`)).toHaveAttribute('href', `/sign/documents/${first.id}`)

  const other = person('titular')
  await fillSigning(page, { ...other, keyPassword: other.keyPassword })
  await button('Firmar los marcados').click()
  await expect(main).toContainText('pertenece a otra persona', SLOW)

  await main.getByRole('checkbox', { name: last.title }).uncheck()
  await fillSigning(page, asked.signer)
  await button('Firmar los marcados').click()
  const said = hasScripts ? 'Se firmaron 2 de 2' : 'Se firmaron 2 documentos.'
  await expect(main).toContainText(said, SLOW)

  await page.goto('/sign/batch')
  await expect(main.getByRole('checkbox', { name: last.title })).toBeChecked()
  await expect(main.getByRole('checkbox', { name: first.title })).toHaveCount(0)
  await fillSigning(page, asked.signer)
  await button('Firmar los marcados').click()
  await expect(main).toContainText(hasScripts ? 'Se firmó 1 de 1' : 'Se firmó 1 documento.', SLOW)
  await link('Volver a mis documentos').click()
  await expect(
    text('Ya firmó todo. Descargue su copia mientras este enlace esté vigente.'),
  ).toBeVisible()
  await expect(main).toContainText('le pidió que firmara con su e.firma.')
  for (const { title } of deeds) await expect(rowOf(page, title)).toContainText('Ver mi copia')
})

test('external signer: revoking the link during a batch stops it', async ({
  page,
  demo,
  person,
  uploadedDeed,
  hasScripts,
}) => {
  const { main, button } = inMain(page)
  const deeds = [await uploadedDeed(), await uploadedDeed()]
  const asked = await inviteGuest(demo, deeds, person('CLERK'), person('suplente'))
  await openLink(page, `${demo.origin}/sign#${await asked.newCode()}`, hasScripts)
  await agree(page)
  await page.goto('/sign/batch')
  await fillSigning(page, asked.signer)
  await asked.revoke()
  await button('Firmar los marcados').click()
  if (hasScripts) await expect(main.getByRole('alert')).toContainText('enlace', SLOW)
  await expect(page).toHaveURL(/\/sign(?:#|$)/, SLOW)
  await expect(main).not.toContainText(deeds[0]?.title ?? '')
})
