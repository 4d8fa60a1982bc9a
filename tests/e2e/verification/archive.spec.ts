import type { Page } from '@playwright/test'
import { DocumentId } from '#server/domain/ids.ts'
import { archiveDocument } from '#server/features/archives/archive-document.ts'
import { renewArchives } from '#server/features/archives/renew-archives.ts'
import { issueConstancias } from '#server/features/constancias/issue-constancias.ts'
import { expect, inMain } from '#tests/e2e/support/fixtures.ts'
import { beside } from '#tests/e2e/support/guest-invitations.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { withOwnOffice } from '#tests/e2e/support/own-office.ts'
import type { DemoServer } from '#tests/support/processes/demo-server.ts'

const test = withOwnOffice()
test.setTimeout(180_000)

/** Sets the address of the services of this kind; returns the previous address. */
function moveProvider({ dataFolder }: DemoServer, kind: string, url: string): string {
  const rows = officeDatabase(dataFolder)
  const [before] = rows.all<{ url: string }>(
    'select url from service_providers where kind = ?',
    kind,
  )
  rows.change('update service_providers set url = ? where kind = ?', url, kind)
  rows.close()
  return before?.url ?? ''
}

function makeDue({ dataFolder }: DemoServer, change: string, ...values: string[]) {
  const rows = officeDatabase(dataFolder)
  rows.change(change, ...values)
  rows.close()
}

const NO_SERVER = 'http://localhost:9/nadie'

/** The state of the archive proof, as the page shows it. */
const proofOn = (page: Page) =>
  page.locator('dt', { hasText: 'Prueba de largo plazo' }).locator('xpath=following-sibling::dd')

test('archive proof: pending, delayed with a reason, stored and renewed', async ({
  page,
  demo,
  office,
  signedInAs,
  signedDeed,
}) => {
  const { main, link } = inMain(page)
  const deed = await signedDeed()
  const id = DocumentId.parse(deed.id)
  await signedInAs('titular')
  const place = `/dashboard/documents/${deed.id}`
  await page.goto(place)
  await expect(proofOn(page)).toHaveText('Pendiente')
  await expect(main).toContainText('PAdES B-T')

  const url = moveProvider(office, 'timestamp', NO_SERVER)
  expect(await beside(demo, (system) => archiveDocument(system, id))).toBe('waiting')
  await page.goto(place)
  await expect(proofOn(page)).toHaveText(
    /^Pendiente: ninguna autoridad dio el sello de tiempo\. Se intenta de nuevo el /,
  )
  await expect(link('Descargar firmado')).toBeVisible()

  moveProvider(office, 'timestamp', url)
  expect(await beside(demo, (system) => archiveDocument(system, id))).toBe('kept')
  await page.goto(place)
  await expect(proofOn(page)).toHaveText(/^Lista; se renueva el /)
  await expect(main).toContainText('PAdES B-LTA')
  await expect(link('Versión 3, con prueba de largo plazo')).toBeVisible()

  makeDue(office, 'update archives set due_at = 0 where document_id = ?', id)
  expect(await beside(demo, renewArchives)).toBe(1)
  await page.goto(place)
  await expect(proofOn(page)).toHaveText(/^Lista; se renueva el /)
  await expect(link('Versión 4, con prueba de largo plazo')).toBeVisible()
  await page.goto(`/verify/${deed.id}`)
  await expect(main.getByRole('status')).toHaveText('Documento íntegro y firmado.')
})

test('constancia: stays pending while the provider is down and is issued on the next run', async ({
  page,
  demo,
  office,
  signedInAs,
  signedDeed,
}) => {
  const { main, button } = inMain(page)
  const deed = await signedDeed()
  await signedInAs('titular')
  const place = `/dashboard/documents/${deed.id}`
  const url = moveProvider(office, 'constancia', NO_SERVER)
  await page.goto(place)
  await button('Solicitar constancia').click()
  await expect(main).toContainText('Constancia pendiente')
  makeDue(office, "update constancias set next_attempt_at = 0 where state = 'pending'")
  await beside(demo, issueConstancias)
  await page.goto(place)
  await expect(main).toContainText('Constancia pendiente')
  await expect(main).toContainText('El prestador no respondió.')
  await expect(button('Solicitar constancia')).toHaveCount(0)

  moveProvider(office, 'constancia', url)
  makeDue(office, "update constancias set next_attempt_at = 0 where state = 'pending'")
  await beside(demo, issueConstancias)
  await page.goto(place)
  await expect(main).toContainText('Constancia emitida')
})
