import { readFileSync } from 'node:fs'
import { openCheckpoint } from '#server/domain/audit/checkpoint.ts'
import { parseVerifierKey } from '#server/domain/audit/signed-note.ts'
import { uploadDrafts } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

test('audit log: an auditor filters by topic, person and day', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button, link } = inMain(page)
  await uploadedDeed()
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/audit')
  const { firstName, lastName } = person('CLERK')
  await field('Sobre').selectOption('Documentos y constancias')
  await field('Quién').selectOption(`${firstName} ${lastName}`)
  await button('Filtrar').click()
  await expect(page).toHaveURL(/about=documents/)
  await expect(field('Sobre')).toHaveValue('documents')
  const rows = main.getByRole('table').locator('tbody tr')
  await expect(rows.filter({ hasText: 'Documento subido' }).first()).toBeVisible()
  await expect(rows.filter({ hasNotText: `${firstName} ${lastName}` })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'Sesión iniciada' })).toHaveCount(0)

  await field('Hasta').fill('2020-01-01')
  await button('Filtrar').click()
  await expect(main).toContainText('Ningún evento coincide con los filtros.')
  await expect(field('Hasta')).toHaveValue('2020-01-01')
  await link('Quitar los filtros').click()
  await expect(page).toHaveURL('/dashboard/audit')
  await expect(field('Sobre')).toHaveValue('')
  await expect(rows.first()).toBeVisible()
})

test('audit log: a refused sign-in names the account for those who read the log of the office', async ({
  page,
  person,
  signedInAs,
}) => {
  const { main } = inMain(page)
  const { email, firstName, lastName } = person('CLERK')
  await page.goto('/login')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña').fill('una contraseña que no es')
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await signedInAs('AUDITOR')
  // Of several attempts within a minute only the first has an event at once: others may be newer than it.
  const asked = new URLSearchParams({ about: 'access', text: `${firstName} ${lastName}` })
  await page.goto(`/dashboard/audit?${asked}`)
  const sentence = `Alguien sin sesión no pudo iniciar sesión en la cuenta de ${firstName} ${lastName}`
  const row = main.getByRole('row').filter({ hasText: sentence }).first()
  await expect(row).toContainText('Inicio de sesión rechazado')
})

test('audit log: an event of a signing session links to the session', async ({
  page,
  demo,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main } = inMain(page)
  const outside = { name: 'Begoña Peñaloza', rfc: 'PEYB820417HM1', email: 'b@notaria.example' }
  const deeds = [await uploadedDeed()]
  const session = await openSession(demo.origin, person('CLERK'), deeds, [outside])
  await signedInAs('AUDITOR')
  await page.goto(`/dashboard/audit?subject=${session}`)
  const row = main.getByRole('row').filter({ hasText: 'Sesión de firma abierta' })
  await row.getByRole('link', { name: /^“/ }).click()
  await expect(page).toHaveURL(`/dashboard/signing/${session}`)
})

test('audit log: an auditor searches for a document, and opens it from the sentence of an event', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button } = inMain(page)
  const { id, title } = await uploadedDeed()
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/audit')
  await field('Buscar').fill(title)
  await button('Filtrar').click()
  await expect(page).toHaveURL(/text=/)
  const { firstName, lastName } = person('CLERK')
  // The head of the table alone does not name it.
  await expect(main.getByRole('row').filter({ hasNotText: title })).toHaveCount(1)
  const row = main.getByRole('row').filter({ hasText: 'Documento subido' })
  await expect(row).toContainText(`${firstName} ${lastName} subió el documento`)
  await field('Buscar').fill('xochitlalpan')
  await button('Filtrar').click()
  await expect(main).toContainText('Ningún evento coincide con los filtros.')
  await page.goBack()
  await expect(field('Buscar')).toHaveValue(title)
  await row.getByRole('link', { name: title }).click()
  await expect(page).toHaveURL(`/dashboard/documents/${id}`)
  await expect(main.getByRole('heading', { name: title })).toBeVisible()
})

test('audit log: an auditor exports the filtered events as CSV and as JSON Lines', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { field, button, link } = inMain(page)
  await uploadedDeed()
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/audit')
  const { firstName, lastName } = person('CLERK')
  await field('Sobre').selectOption('Documentos y constancias')
  await field('Quién').selectOption(`${firstName} ${lastName}`)
  await button('Filtrar').click()
  // The address changes before the page does.
  await expect(link('CSV')).toHaveAttribute('href', /about=documents/)
  const fileBehind = async (name: string) => {
    const download = page.waitForEvent('download')
    await link(name).click()
    const file = await download
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }
  const table = await fileBehind('CSV')
  expect(table.name).toBe('bitácora.csv')
  const [head, ...rows] = table.text.trimEnd().split('\r\n')
  expect(head).toMatch(/^\ufeffNúmero,Resultado,Evento,Quién,Sobre,Qué ocurrió,.*,Veces$/)
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row).toContain(`,${firstName} ${lastName},`)
  expect(table.text).toContain('Documento subido')
  expect(table.text).not.toContain('Sesión iniciada')

  const lines = await fileBehind('JSON Lines')
  expect(lines.name).toBe('bitácora.jsonl')
  const events = lines.text.trimEnd().split('\n')
  expect(events.map((line) => JSON.parse(line).seq)).toEqual(
    expect.arrayContaining(rows.map((row) => Number(row.split(',')[0]))),
  )

  await page.goto('/dashboard/audit')
  await expect(inMain(page).main).toContainText('Bitácora exportada')
  await signedInAs('CLERK')
  await page.goto('/dashboard/audit')
  await expect(link('CSV')).toHaveCount(0)
  const refused = await page.request.get('/dashboard/audit/bitacora.csv')
  expect([refused.status(), await refused.text()]).toEqual([
    403,
    'No tiene permisos para realizar esta acción.',
  ])
})

test('audit log: the last signed checkpoint can be downloaded and verified', async ({
  page,
  signedInAs,
}) => {
  const { main, link } = inMain(page)
  await signedInAs('AUDITOR')
  // Each minute a newer one is signed: page and download may be of different ones.
  await expect(async () => {
    await page.goto('/dashboard/audit')
    await expect(main.getByRole('heading', { name: 'Punto de control firmado' })).toBeVisible()
    const key = await main.getByText(/^rubrica\/bitacora\/[0-9a-f]{16}\+/).innerText()
    const download = page.waitForEvent('download')
    await link('Descargar el punto de control').click()
    const note = readFileSync(await (await download).path(), 'utf8')
    const checkpoint = openCheckpoint(note, [parseVerifierKey(key)!])
    expect(checkpoint?.size).toBeGreaterThan(0)
    const root = await main.getByText('Raíz', { exact: true }).locator('..').innerText()
    expect(root).toContain(checkpoint?.root.slice(0, 16))
  }).toPass()
})

test('audit log: a user who may read only their own events sees no checkpoint', async ({
  page,
  signedInAs,
}) => {
  const { main } = inMain(page)
  await signedInAs('CLERK')
  await page.goto('/dashboard/audit')
  await expect(main.getByRole('table')).toBeVisible()
  await expect(main).not.toContainText('Punto de control firmado')
  const answer = await page.request.get('/dashboard/audit/punto-de-control.txt')
  expect(answer.status()).toBe(403)
})

test('audit log: a search that would leave out events offers no export, and one that is asked for leads back to the page', async ({
  page,
  demo,
  person,
  signedInAs,
}) => {
  const { main, link } = inMain(page)
  const text = await uploadDrafts(demo.origin, person('CLERK'), 21)
  const list = `/dashboard/audit?${new URLSearchParams({ text })}`
  await signedInAs('AUDITOR')
  await page.goto('/dashboard/audit')
  await expect(link('CSV')).toBeVisible()
  await page.goto(list)
  await expect(main).toContainText('no se muestran los eventos de todos, ni se exportan')
  await expect(link('CSV')).toHaveCount(0)
  await page.goto(list.replace('audit?', 'audit/bitacora.csv?'))
  await expect(page).toHaveURL(list)
  await expect(main).toContainText('ni se exportan')
})
