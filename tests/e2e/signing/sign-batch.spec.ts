import type { Page } from '@playwright/test'
import { test as base, expect, fillSigning, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { insertParties, type Party } from '#tests/e2e/support/parties.ts'
import { cancelSession, openSession } from '#tests/e2e/support/signing-session.ts'

type Fixtures = {
  /** A signer of this test only, with this many documents pending in one session. */
  waiting: (
    count: number,
  ) => Promise<{ party: Party; session: string; titles: string[]; ids: string[] }>
}

const test = base.extend<Fixtures>({
  waiting: async ({ demo, person, uploadedDeed }, use) => {
    const rows = officeDatabase(process.env.DEMO_DATA ?? '')
    await use(async (count) => {
      const [party] = await insertParties(rows, person('CLERK'), 1)
      if (!party) throw new Error('the session has no such party')
      const deeds = []
      while (deeds.length < count) deeds.push(await uploadedDeed())
      const session = await openSession(demo.origin, person('CLERK'), deeds, [party])
      return {
        party,
        session,
        titles: deeds.map(({ title }) => title),
        ids: deeds.map(({ id }) => id),
      }
    })
    rows.close()
  },
})

async function openBatch(page: Page, party: Party, session: string): Promise<void> {
  const address = `/dashboard/signing/batch?session=${session}`
  await page.goto(`/login?returnUrl=${encodeURIComponent(address)}`)
  await signIn(page, party)
  await expect(page).toHaveURL(address)
}

/* Each signature is prepared, timestamped, verified and stored: many take a while on a busy machine. */
test.setTimeout(180_000)

const rowOf = (page: Page, title: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: title })

test('batch: twelve documents are signed after choosing the key once', async ({
  page,
  waiting,
  hasScripts,
}) => {
  const { main, button } = inMain(page)
  const { party, session, titles } = await waiting(12)
  await openBatch(page, party, session)
  for (const title of titles)
    await expect(main.getByRole('checkbox', { name: title })).toBeChecked()
  await expect(
    rowOf(page, titles[0] ?? '').getByRole('link', { name: `Leer ${titles[0]}` }),
  ).toBeVisible()
  await fillSigning(page, { cer: party.cer, key: party.key, keyPassword: party.keyPassword })
  for (const title of titles)
    await expect(main.getByRole('checkbox', { name: title })).toBeChecked()
  await button('Firmar los marcados').click()
  if (hasScripts) {
    await expect(main).toContainText('Se firmaron 12 de 12', { timeout: 120_000 })
    for (const title of titles) await expect(rowOf(page, title)).toContainText('Firmado')
    await expect(inMain(page).field('Contraseña de la clave privada')).toHaveValue('')
    await expect(button('Firmar los marcados')).toBeDisabled()
    await page.reload()
  } else {
    await expect(main).toContainText('Se firmaron 12 documentos.', { timeout: 120_000 })
  }
  await expect(main).toContainText('Ningún documento espera su firma en este momento.')
})

test('batch: an unselected document is not signed and stays in the list', async ({
  page,
  waiting,
  hasScripts,
}) => {
  const { main, button } = inMain(page)
  const { party, session, titles } = await waiting(3)
  await openBatch(page, party, session)
  const hash = main.getByText(/^[0-9a-f]{64}$/).first()
  await expect(hash).toBeHidden()
  await main.getByText('Huella digital (SHA-256)').first().click()
  await expect(hash).toBeVisible()
  await fillSigning(page, { cer: party.cer, key: party.key, keyPassword: party.keyPassword })
  await main.getByRole('checkbox', { name: titles[1] ?? '' }).uncheck()
  await button('Firmar los marcados').click()
  const said = hasScripts ? 'Se firmaron 2 de 2' : 'Se firmaron 2 documentos.'
  await expect(main).toContainText(said, { timeout: 120_000 })
  await openAgain(page, session)
  await expect(main.getByRole('checkbox', { name: titles[1] ?? '' })).toBeVisible()
  await expect(main.getByRole('checkbox', { name: titles[0] ?? '' })).toHaveCount(0)
})

test('batch sent to the server after the session ended: the same documents are chosen after sign-in', async ({
  page,
  waiting,
}) => {
  const { main, button } = inMain(page)
  const { party, session, titles } = await waiting(3)
  const address = `/dashboard/signing/batch/without-scripts?session=${session}`
  await page.goto(`/login?returnUrl=${encodeURIComponent(address)}`)
  await signIn(page, party)
  const box = (index: number) => main.getByRole('checkbox', { name: titles[index] ?? '' })
  await box(1).uncheck()
  await fillSigning(page, { cer: party.cer, key: party.key, keyPassword: party.keyPassword })
  const rows = officeDatabase(process.env.DEMO_DATA ?? '')
  rows.change(
    `update sessions set ended_at = ?, end_reason = 'ended-by-administrator'
     where ended_at is null and user_id = (select id from users where email = ?)`,
    ...[Date.now(), party.email],
  )
  rows.close()
  await button('Firmar los marcados').click()
  await expect(page).toHaveURL(/\/login\?returnUrl=.*conservado/)
  await signIn(page, party)
  await expect(main).toContainText('Recuperamos lo que había escrito.')
  await expect(box(0)).toBeChecked()
  await expect(box(1)).not.toBeChecked()
  await expect(box(2)).toBeChecked()
  await expect(page.getByLabel('Contraseña de la clave privada')).toHaveValue('')
})

test('batch: a wrong password signs nothing and is reported at its field', async ({
  page,
  waiting,
}) => {
  const { main, button } = inMain(page)
  const { party, session, titles } = await waiting(2)
  await openBatch(page, party, session)
  await fillSigning(page, { cer: party.cer, key: party.key, keyPassword: 'otra' })
  await button('Firmar los marcados').click()
  await expect(main).toContainText('La contraseña no corresponde a esta clave privada')
  await openAgain(page, session)
  for (const title of titles)
    await expect(main.getByRole('checkbox', { name: title })).toBeVisible()
})

test('batch: a document whose session is cancelled does not stop the others', async ({
  page,
  demo,
  person,
  waiting,
  uploadedDeed,
  hasScripts,
}) => {
  const { main, button } = inMain(page)
  const { party, titles } = await waiting(2)
  const gone = await uploadedDeed()
  const cancelled = await openSession(demo.origin, person('CLERK'), [gone], [party])
  await page.goto(`/login?returnUrl=${encodeURIComponent('/dashboard/signing/batch')}`)
  await signIn(page, party)
  await expect(main.getByRole('checkbox', { name: gone.title })).toBeChecked()
  await cancelSession(demo.origin, person('CLERK'), cancelled)
  await fillSigning(page, { cer: party.cer, key: party.key, keyPassword: party.keyPassword })
  await button('Firmar los marcados').click()
  if (hasScripts) {
    await expect(main).toContainText('Se firmaron 2 de 3', { timeout: 120_000 })
    await expect(rowOf(page, gone.title)).toContainText('No se firmó: ')
    for (const title of titles) await expect(rowOf(page, title)).toContainText('Firmado')
  } else {
    await expect(main).toContainText('Se firmaron 2 documentos.', { timeout: 120_000 })
    await expect(main).toContainText('no se firmó: ')
  }
})

function openAgain(page: Page, session: string) {
  return page.goto(`/dashboard/signing/batch?session=${session}`)
}
