import { uploadDeed } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'

const test = withOwnOffice()

test('dashboard: lists the documents that wait for the user, and a document names the signer that it waits for', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main, link } = inMain(page)
  const deed = await uploadDeed(demo.origin, person('CLERK'))
  const [first, second] = [person('AUDITOR'), person('suplente')]
  const signers = [first, second].map((user, index) => ({ id: idOf(demo, user), step: index + 1 }))
  const session = await openSession(demo.origin, person('CLERK'), [deed], signers)
  const waiting = main.getByRole('table', { name: 'Documentos que esperan su firma' })

  await signedInAs('suplente')
  await page.goto('/dashboard')
  await expect(main).toContainText('Ningún documento espera su firma.')
  await page.goto(`/dashboard/documents/${deed.id}`)
  await expect(main).toContainText(`Se espera a ${first.firstName} ${first.lastName}.`)
  await expect(main.getByRole('link', { name: /^Sesión / })).toHaveAttribute(
    'href',
    `/dashboard/signing/${session}`,
  )
  await expect(link('Firmar')).toHaveCount(0)

  // A named signer may sign with any role.
  await signedInAs('AUDITOR')
  await page.goto('/dashboard')
  await expect(waiting.getByRole('row').filter({ hasText: deed.title })).toBeVisible()
  await waiting.getByRole('link', { name: deed.title, exact: true }).click()
  await expect(main).toContainText('Es su turno de firmar.')
  await link('Firmar').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}/sign`)
})

test('dashboard: more than seven documents become one row, which opens the batch and signs nothing', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main, link } = inMain(page)
  const deeds = []
  for (let count = 0; count < 8; count += 1)
    deeds.push(await uploadDeed(demo.origin, person('CLERK')))
  const signer = { id: idOf(demo, person('LAWYER')) }
  await openSession(demo.origin, person('CLERK'), deeds, [signer])
  await signedInAs('LAWYER')
  await page.goto('/dashboard')
  await expect(main).toContainText(/\d+ documentos esperan su firma/)
  await expect(main.getByRole('table', { name: 'Documentos que esperan su firma' })).toHaveCount(0)
  await link('Revisar y firmar').click()
  await expect(page).toHaveURL('/dashboard/signing/batch')
  for (const { title } of deeds)
    await expect(main.getByRole('checkbox', { name: title })).toBeVisible()
  await page.goto('/dashboard')
  await expect(main).toContainText(/\d+ documentos esperan su firma/)
})

test('dashboard: an administrator sees what is still to be set up, and opens where', async ({
  page,
  signedInAs,
}) => {
  const { main, link } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/dashboard')
  await expect(main.getByRole('heading', { name: 'Lo que espera por usted' })).toBeVisible()
  await expect(main.getByRole('heading', { name: 'Puesta en marcha' })).toHaveCount(0)
  await signedInAs('ADMIN')
  await page.goto('/dashboard')
  await expect(main.getByRole('heading', { name: 'Puesta en marcha' })).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'Autoridades' })).toContainText('Listo')
  await expect(main.getByRole('listitem').filter({ hasText: 'Notario' })).toContainText('Listo')
  await expect(
    main.getByRole('listitem').filter({ hasText: 'Número de instrumento' }),
  ).toContainText(/Listo|Falta/)
  await link('Segundo factor de todos').click()
  await expect(page).toHaveURL('/dashboard/settings/second-factor')
})

test('dashboard: says why a page is not shown to a user without the role', async ({
  page,
  signedInAs,
  hasScripts,
}) => {
  await signedInAs('CLERK')
  await page.goto('/dashboard/settings/outbox')
  await expect(page).toHaveURL('/dashboard')
  await expect(messageOn(page, hasScripts)).toContainText(
    'No tiene permisos para realizar esta acción.',
  )
})

test('dashboard: lists an overdue session until it is extended or ended', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main } = inMain(page)
  const deed = await uploadDeed(demo.origin, person('CLERK'))
  const signer = { id: idOf(demo, person('suplente')) }
  const session = await openSession(demo.origin, person('CLERK'), [deed], [signer])
  const rows = officeDatabase(demo.dataFolder ?? '')
  rows.change('update signing_sessions set deadline = ? where id = ?', Date.now() - 1000, session)
  rows.close()
  await signedInAs('CLERK')
  await page.goto('/dashboard')
  const late = main.getByRole('listitem').filter({ hasText: 'Atrasada' })
  await late.getByRole('link').click()
  await expect(page).toHaveURL(`/dashboard/signing/${session}`)
})

function idOf(demo: Demo, { email }: DemoUser): string {
  const rows = officeDatabase(demo.dataFolder ?? '')
  const [user] = rows.all<{ id: string }>('select id from users where email = ?', email)
  rows.close()
  if (!user) throw new Error(`the demo has no ${email}`)
  return user.id
}

test('own turn: what waits for the user comes first, and of the office only the newest five', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main } = inMain(page)
  const deed = await uploadDeed(demo.origin, person('CLERK'))
  const signer = { id: idOf(demo, person('LAWYER')) }
  await openSession(demo.origin, person('CLERK'), [deed], [signer])
  for (let count = 0; count < 6; count += 1) await uploadDeed(demo.origin, person('CLERK'))
  await signedInAs('LAWYER')
  await page.goto('/dashboard/signing')
  await expect(main.getByRole('table').first()).toContainText(deed.title)
  const drafts = main.getByRole('table', { name: 'Documentos por firmar' })
  await expect(drafts.locator('tbody tr')).toHaveCount(5)
  const all = main.getByRole('link', { name: 'Ver todos', exact: true }).first()
  await expect(all).toHaveAttribute('href', '/dashboard/documents?state=draft')
})

test('list: “Firmar” is offered to those who may sign any document, and to others when it is their turn', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main, button } = inMain(page)
  const deed = await uploadDeed(demo.origin, person('CLERK'))
  const choose = async () => {
    await page.goto('/dashboard/documents')
    await main.getByRole('checkbox', { name: `Elegir ${deed.title}`, exact: true }).check()
    await expect(button('Descargar ZIP')).toBeVisible()
  }
  await signedInAs('administrador')
  await choose()
  await expect(button('Firmar')).toHaveCount(0)
  await signedInAs('titular')
  await choose()
  await expect(button('Firmar')).toBeVisible()

  const signer = { id: idOf(demo, person('administrador')) }
  await openSession(demo.origin, person('CLERK'), [deed], [signer])
  await signedInAs('administrador')
  await choose()
  await expect(button('Firmar')).toBeVisible()
})
