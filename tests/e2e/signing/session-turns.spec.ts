import { PEOPLE } from '#server/demo/people.ts'
import { signDeed } from '#tests/e2e/support/deeds.ts'
import { expect, fillSigning, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { agree, anotherBrowser, openLink } from '#tests/e2e/support/guest-pages.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'

const nameOf = ({ firstName, lastName }: DemoUser) => `${firstName} ${lastName}`

function inOffice<T>(work: (rows: ReturnType<typeof officeDatabase>) => T): T {
  const rows = officeDatabase(process.env.DEMO_DATA ?? '')
  try {
    return work(rows)
  } finally {
    rows.close()
  }
}

function idOf({ email }: DemoUser): string {
  const sql = 'select id from users where email = ?'
  const [user] = inOffice((rows) => rows.all<{ id: string }>(sql, email))
  if (!user) throw new Error(`no user has the address ${email}`)
  return user.id
}

const SLOW = { timeout: 30_000 }

test('signing session: two sign in any order, one of them external, and the notary after both', async ({
  page,
  browser,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  test.slow()
  const { main, button, text } = inMain(page)
  const deed = await uploadedDeed()
  const [party, first, last] = [person('CLERK'), person('titular'), person('suplente')]
  const { rfc } = PEOPLE.find(({ email }) => email === party.email)!
  const sessionId = await openSession(
    demo.origin,
    person('CLERK'),
    [deed],
    [
      { id: idOf(last), step: 2 },
      { id: idOf(first), step: 1 },
      { name: nameOf(party), rfc, email: 'comprador@correo.example' },
    ],
  )
  const session = `/dashboard/signing/${sessionId}`
  await signedInAs('CLERK')
  await page.goto(session)
  await expect(main).toContainText('Por turnos: quienes tienen el mismo número firman en cualquier')
  await main.getByRole('link', { name: 'Su enlace para firmar' }).click()
  // The invitation went out by mail.
  await main.getByRole('link', { name: 'Crear otro enlace' }).click()
  await button('Sí, crear otro enlace').click()
  const link = (await main.getByText(/\/sign#/).textContent()) ?? ''

  const guest = await anotherBrowser(browser, demo, hasScripts)
  await openLink(guest, link, hasScripts)
  await expect(guest).toHaveURL(/\/sign\/documents/)
  await agree(guest)
  await inMain(guest).link('Revisar y firmar').click()
  await expect(inMain(guest).button('Firmar documento')).toBeEnabled()
  await fillSigning(guest, party)
  await inMain(guest).button('Firmar documento').click()
  await expect(inMain(guest).main).toContainText('Todavía faltan otros firmantes', SLOW)
  await guest.context().close()

  await page.goto(session)
  await expect(main).toContainText(`Se espera a ${nameOf(first)}.`)
  const notary = await signedInAs('suplente')
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await expect(main).toContainText('Todavía no es su turno')
  await signDeed(demo.origin, deed, first, 3)

  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await expect(button('Firmar documento')).toBeEnabled()
  await fillSigning(page, notary)
  await button('Firmar documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`, SLOW)
  await page.goto(session)
  await expect(text('Completada')).toBeVisible()
  await expect(main).toContainText('3 de 3')
})

test('delayed session: can be extended, reminded and given another signer', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
  hasScripts,
}) => {
  test.slow()
  const { main, button, field, text } = inMain(page)
  const news = messageOn(page, hasScripts)
  const deed = await uploadedDeed()
  const [absent, successor] = [person('titular'), person('suplente')]
  const signers = [{ id: idOf(absent) }]
  const sessionId = await openSession(demo.origin, person('CLERK'), [deed], signers)
  const late = 'update signing_sessions set deadline = ? where id = ?'
  inOffice((rows) => rows.change(late, Date.now() - 1000, sessionId))

  await signedInAs('CLERK')
  await page.goto(`/dashboard/signing/${sessionId}`)
  const fold = (title: string) => main.locator('details', { hasText: title })
  if ((await fold('Cambiar la fecha límite').getAttribute('open')) === null)
    await main.locator('summary', { hasText: 'Cambiar la fecha límite' }).click()
  await field('Nueva fecha límite (opcional)').fill('2020-01-01')
  await button('Cambiar fecha').click()
  await expect(main).toContainText('La fecha límite ya pasó. Elija una posterior.')
  await field('Nueva fecha límite (opcional)').fill('2045-01-31')
  await button('Cambiar fecha').click()
  await expect(main).toContainText('31 ene 2045')
  await expect(text('Abierta')).toBeVisible()

  await button('Enviar recordatorio').click()
  await expect(
    news.filter({
      hasText: 'El recordatorio quedó en espera: la notaría no tiene servidor de correo.',
    }),
  ).toBeVisible()
  await button('Enviar recordatorio').click()
  await expect(main).toContainText('Ya se le envió un recordatorio hace menos de doce horas.')

  await main.locator('summary', { hasText: `Sustituir a ${nameOf(absent)}` }).click()
  await button('Sustituir firmante').click()
  await expect(main).toContainText('Escriba el motivo, hasta 500 caracteres.')
  await field('Persona').selectOption({ label: nameOf(successor) })
  await fold(`Sustituir a ${nameOf(absent)}`)
    .getByLabel('Motivo')
    .fill('Está de viaje')
  await button('Sustituir firmante').click()
  await expect(main).toContainText(`Se espera a ${nameOf(successor)}.`)
  await expect(text('Sustituido')).toBeVisible()

  await signedInAs('titular')
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await expect(main).toContainText('En este documento ya no se espera su firma.')
  await expect(main).not.toContainText('Lo que se agregará')
  await signDeed(demo.origin, deed, successor, 2)
  await page.goto(`/dashboard/signing/${sessionId}`)
  await expect(text('Completada')).toBeVisible()
})
