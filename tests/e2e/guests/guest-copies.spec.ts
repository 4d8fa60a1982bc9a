import { readFileSync } from 'node:fs'
import { expect, fillSigning, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { agree, openLink } from '#tests/e2e/support/guest-pages.ts'
import { judgePdf } from '#tests/e2e/support/judged-pdf.ts'
import { cancelSession } from '#tests/e2e/support/signing-session.ts'

/** The document is prepared, signed and verified on a machine that others use, too. */
const SLOW = { timeout: 60_000 }

test('cancelled session: an external signer keeps the signed copy and has nothing left to sign', async ({
  page,
  demo,
  person,
  uploadedDeed,
  hasScripts,
}) => {
  test.slow()
  const { main, button, link, text } = inMain(page)
  const deeds = [await uploadedDeed(), await uploadedDeed()]
  const [first, second] = deeds
  if (!first || !second) throw new Error('no deeds')
  const asked = await inviteGuest(demo, deeds, person('CLERK'), person('suplente'), [
    { name: 'Clara Ruiz', rfc: 'RUPC801201QX7' },
  ])
  await openLink(page, `${demo.origin}/sign#${await asked.newCode()}`, hasScripts)
  await agree(page)
  await page.goto(`/sign/documents/${first.id}`)
  await fillSigning(page, asked.signer)
  await button('Firmar documento').click()
  await expect(link('Descargar mi copia')).toBeVisible(SLOW)
  await cancelSession(demo.origin, person('CLERK'), asked.sessionId)

  await page.goto('/sign/documents')
  await expect(text('La notaría canceló la sesión de firma')).toBeVisible()
  await expect(link('Rechazar la firma')).toHaveCount(0)
  const rest = main.getByRole('listitem').filter({ hasText: second.title })
  await expect(rest).toContainText('Ya no se puede firmar')
  await expect(rest.getByRole('link')).toHaveCount(0)
  await link('Ver mi copia').click()
  await expect(main).toContainText('Su firma está en esta copia. La sesión de firma terminó')
  const download = page.waitForEvent('download')
  await link('Descargar mi copia').click()
  const root = `${process.env.DEMO_DATA}/demo/authority/root.cer`
  const { signatures } = judgePdf(readFileSync(await (await download).path()), root)
  // The field of the other signer is empty.
  expect(signatures.filter(({ isValid }) => isValid)).toHaveLength(1)
})
