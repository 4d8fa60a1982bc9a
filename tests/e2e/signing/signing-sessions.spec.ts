import type { Page } from '@playwright/test'
import { expect, fillSigning, inMain, test } from '#tests/e2e/support/fixtures.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'

const nameOf = ({ firstName, lastName }: Pick<DemoUser, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`

/** Creates a session through the pages: the documents, then each signer, then opens it. */
async function openSession(
  page: Page,
  documents: readonly { id: string; title: string }[],
  signers: readonly { name: string; step: string }[],
): Promise<void> {
  const { main, field, button, link } = inMain(page)
  const query = documents.map(({ id }) => `document=${id}`).join('&')
  await page.goto(`/dashboard/signing/new?${query}`)
  for (const { title } of documents)
    await expect(main.getByRole('checkbox', { name: title })).toBeChecked()
  await field('Título').fill(`Sesión de ${documents[0]?.title}`)
  await field('Mensaje para los firmantes (opcional)').fill('Revisen la cláusula quinta.')
  await button('Crear sesión').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(
    `Sesión de ${documents[0]?.title}`,
  )
  for (const { name, step } of signers) {
    const fold = main.locator('details', { hasText: 'Agregar a una persona de la notaría' })
    if (!(await fold.evaluate((element) => element.hasAttribute('open'))))
      await fold.locator('summary').click()
    await fold.getByLabel('Persona').selectOption({ label: name })
    await fold.getByLabel('Orden').fill(step)
    await fold.getByRole('button', { name: 'Agregar firmante' }).click()
    await expect(main.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  }
  await link('Revisar y abrir').click()
  await button('Abrir sesión').click()
  await expect(main.getByText('Abierta', { exact: true })).toBeVisible()
}

test('signing session: a clerk opens it, two notaries sign in turn, and it completes', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, link, text, button } = inMain(page)
  const deed = await uploadedDeed()
  const [first, second] = [person('titular'), person('suplente')]
  await signedInAs('CLERK')
  await openSession(
    page,
    [deed],
    [
      { name: nameOf(first), step: '1' },
      { name: nameOf(second), step: '2' },
    ],
  )
  await expect(main).toContainText(`Se espera a ${nameOf(first)}.`)
  const session = new URL(page.url()).pathname

  await signedInAs('suplente')
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await expect(main).toContainText('Todavía no es su turno')

  for (const notary of ['titular', 'suplente'] as const) {
    const signer = await signedInAs(notary)
    await page.goto('/dashboard/signing')
    await main.getByRole('link', { name: `Firmar ${deed.title}` }).click()
    await expect(main).toContainText(deed.title)
    await fillSigning(page, signer)
    await button('Firmar documento').click()
    await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
  }
  await expect(text('Firmado')).toBeVisible()
  await page.goto(session)
  await expect(text('Completada')).toBeVisible()
  await expect(main).toContainText('2 de 2')

  await page.goto(`/verify/${deed.id}`)
  await expect(main.getByRole('status')).toHaveText('Documento íntegro y firmado.')
  await expect(link('Buscar')).toHaveCount(0)
})

test('signing session: a signer rejects with a reason that every participant can read', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button, text } = inMain(page)
  const deed = await uploadedDeed()
  await signedInAs('CLERK')
  await openSession(page, [deed], [{ name: nameOf(person('titular')), step: '1' }])
  const session = new URL(page.url()).pathname

  await signedInAs('titular')
  await page.goto(session)
  await main.locator('summary', { hasText: 'Rechazar la firma' }).click()
  await button('Rechazar').click()
  await expect(main).toContainText('Escriba el motivo, hasta 500 caracteres.')
  await field('Motivo').first().fill('El precio no es el acordado')
  await button('Rechazar').click()
  await expect(text('Rechazada')).toBeVisible()
  await expect(main).toContainText(`${nameOf(person('titular'))} la rechazó.`)
  await expect(main).toContainText('El precio no es el acordado')

  await signedInAs('CLERK')
  await page.goto('/dashboard/alerts')
  await expect(main).toContainText(`rechazó firmar “Sesión de ${deed.title}”`)
  await expect(main.locator(`a[href="${session}"]`)).toHaveText('Ver la sesión')
})

test('signing session: cancelling it releases its documents', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  const { main, field, button, text, link } = inMain(page)
  const [one, two] = [await uploadedDeed(), await uploadedDeed()]
  await signedInAs('CLERK')
  await openSession(page, [one, two], [{ name: nameOf(person('titular')), step: '1' }])
  await main.locator('summary', { hasText: 'Cancelar la sesión' }).click()
  await field('Motivo').first().fill('El comprador desistió')
  await button('Cancelar sesión').click()
  await expect(text('Cancelada')).toBeVisible()
  await link(two.title).click()
  // The address changes before the page: the list of before has the word twice.
  await expect(page).toHaveTitle(`${two.title} · Rúbrica`)
  await expect(page).toHaveURL(`/dashboard/documents/${two.id}`)
  await expect(text('Borrador')).toBeVisible()
})
