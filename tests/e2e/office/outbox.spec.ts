import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { inviteGuest } from '#tests/e2e/support/guest-invitations.ts'
import { cancelSession } from '#tests/e2e/support/signing-session.ts'

const SETTINGS = '/dashboard/settings'

/** Invites a user and returns the one-time link that the page shows. */
async function invite(page: Page, email: string): Promise<string> {
  const { field, button, main } = inMain(page)
  await page.goto('/dashboard/users/new')
  await field('Nombres').fill('Ana Lucía')
  await field('Apellidos').fill('Ñandú Peña')
  await field('Correo electrónico').fill(email)
  await field('RFC').fill('ÑAPA900101AB1')
  await field('Auxiliar').check()
  await button('Invitar').click()
  await expect(main).toContainText('También se le escribe por correo')
  return await main.locator('dd code').nth(1).innerText()
}

const rowOf = (main: Locator, email: string) => main.getByRole('row').filter({ hasText: email })

test('outbox: without a mail server mail is kept; an administrator reads and discards it', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  const { main, button, link, text } = inMain(page)
  const email = `ana-${randomUUID().slice(0, 8)}@notaria.example`
  await signedInAs('administrador')
  const wayIn = await invite(page, email)
  await page.goto(SETTINGS)
  await link('Ver correos').click()
  await expect(main).toContainText('No hay servidor de correo')
  await expect(rowOf(main, email)).toContainText('En espera')
  await rowOf(main, email).getByRole('link').click()
  await expect(main.getByRole('heading', { level: 1 })).toContainText('Invitación a Rúbrica')
  await expect(main).not.toContainText('/activate#')
  await button('Mostrar el texto').click()
  await expect(main.locator('pre')).toContainText(wayIn)
  await expect(main.locator('pre')).toContainText('Ana Lucía Ñandú Peña:')
  await page.goto(page.url())
  await expect(main.locator('pre')).toHaveCount(0)

  await button('Descartar').click()
  await expect(messageOn(page, hasScripts)).toHaveText('El correo se descartó.')
  await expect(text('Descartado')).toBeVisible()
  await expect(main).toContainText('Alguien de la notaría lo descartó.')
  await expect(main).toContainText('El texto se borró')
  await expect(button('Descartar')).toHaveCount(0)
})

test('outbox: mail about a cancelled session is withdrawn, and the list gives the reason', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main } = inMain(page)
  const email = `benito-${randomUUID().slice(0, 8)}@correo.example`
  const deed = await uploadedDeed()
  const asked = await inviteGuest(demo, deed, person('CLERK'), {
    ...person('suplente'),
    mailTo: email,
  })
  await signedInAs('administrador')
  await page.goto(`${SETTINGS}/outbox`)
  const invitation = rowOf(main, email).filter({ hasText: 'Invitación a firmar' })
  await expect(invitation).toContainText('En espera')
  await cancelSession(demo.origin, person('CLERK'), asked.sessionId)
  await page.reload()
  await expect(invitation).toContainText('Descartado')
  await expect(invitation).toContainText('La sesión de firma terminó.')
  await invitation.getByRole('link').click()
  await expect(main).toContainText('Por qué no se envía')
  await expect(main).toContainText('El texto se borró')
})

test('outbox: only an administrator sees it', async ({ page, signedInAs }) => {
  const { main } = inMain(page)
  await signedInAs('CLERK')
  await page.goto(SETTINGS)
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Configuración')
  await expect(main).not.toContainText('Ver correos')
  await page.goto(`${SETTINGS}/outbox`)
  await expect(page).toHaveURL('/dashboard')
})
