import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { downloadVersion } from '#tests/e2e/support/deeds.ts'
import { test as base, expect, fillSigning, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { judgePdf } from '#tests/e2e/support/judged-pdf.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { insertParties, type Party } from '#tests/e2e/support/parties.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

type Waiting = { party: Party; session: string; titles: string[] }

const test = base.extend<{
  parties: (count: number) => Promise<Party[]>
  waiting: (count: number) => Promise<Waiting>
}>({
  parties: async ({ person }, use) => {
    const rows = officeDatabase(process.env.DEMO_DATA ?? '')
    await use((count) => insertParties(rows, person('CLERK'), count))
    rows.close()
  },
  waiting: async ({ demo, person, parties, uploadedDeed }, use) => {
    await use(async (count) => {
      const [party] = await parties(1)
      if (!party) throw new Error('the session has no such party')
      const deeds = []
      while (deeds.length < count) deeds.push(await uploadedDeed())
      const session = await openSession(demo.origin, person('CLERK'), deeds, [party])
      return { party, session, titles: deeds.map(({ title }) => title) }
    })
  },
})

async function signInAt(page: Page, party: Party, address: string): Promise<void> {
  await page.goto(`/login?returnUrl=${encodeURIComponent(address)}`)
  await signIn(page, party)
  await expect(page).toHaveURL(address)
}

const keyOf = ({ cer, key, keyPassword }: Party) => ({ cer, key, keyPassword })

const boxes = (page: Page) => page.locator('[data-batch-document] input[type=checkbox]')
const signedRows = (page: Page) => page.locator('[data-batch-document][data-state=signed]')

/* Each signature is prepared, timestamped, verified and stored: many take a while on a busy machine. */
test.setTimeout(180_000)

test('batch stopped: documents in progress are signed, and it can continue with the rest', async ({
  page,
  waiting,
}) => {
  const { main, button } = inMain(page)
  const { party, session } = await waiting(7)
  await signInAt(page, party, `/dashboard/signing/batch?session=${session}`)
  await fillSigning(page, keyOf(party))
  // The first document is signed alone. The next four are held until the batch is stopped: an early answer would
  // start another one.
  let prepared = 0
  const stopped = Promise.withResolvers<void>()
  await page.route('**/sign/prepare', async (route) => {
    prepared += 1
    if (prepared > 1) await stopped.promise
    await route.continue()
  })
  await button('Firmar los marcados').click()
  await expect.poll(() => prepared, { timeout: 120_000 }).toBe(5)
  await button('Detener').click()
  await expect(main).toContainText('Se detiene en cuanto terminen los documentos empezados.')
  await expect(signedRows(page)).toHaveCount(1)
  stopped.resolve()
  await expect(page.getByRole('alert')).toHaveText(
    'Se detuvo. Lo que no se firmó sigue marcado; puede continuar.',
    { timeout: 120_000 },
  )
  await expect(signedRows(page)).toHaveCount(5)
  await expect(main).toContainText('Se firmaron 5 de 7')
  expect(prepared).toBe(5)

  const all = page.getByLabel('Marcar todos los documentos')
  await expect(all).toBeChecked()
  await boxes(page).last().uncheck()
  await expect(all).not.toBeChecked()
  await boxes(page).last().check()
  await expect(all).toBeChecked()

  await button('Firmar los marcados').click()
  await expect(main).toContainText('Se firmaron 2 de 2', { timeout: 120_000 })
  await expect(signedRows(page)).toHaveCount(7)
  await expect(all).not.toBeChecked()
})

test('batch page closed: the remaining documents stay in the list and can be signed', async ({
  page,
  context,
  waiting,
}) => {
  const { party, session } = await waiting(6)
  const address = `/dashboard/signing/batch?session=${session}`
  await signInAt(page, party, address)
  await fillSigning(page, keyOf(party))
  // The line is slow from the fifth on.
  let prepared = 0
  await page.route('**/sign/prepare', async (route) => {
    prepared += 1
    if (prepared < 5) await route.continue()
  })
  await inMain(page).button('Firmar los marcados').click()
  await expect(signedRows(page).nth(1)).toBeVisible()
  await page.close()

  const again = await context.newPage()
  await again.goto(address)
  const left = await boxes(again).count()
  expect(left).toBeGreaterThan(1)
  expect(left).toBeLessThan(5)
  await fillSigning(again, keyOf(party))
  await inMain(again).button('Firmar los marcados').click()
  // Documents signed while the page closed count as signed.
  await expect(inMain(again).main).toContainText(/Se firmaron \d de \d/)
  await again.reload()
  await expect(inMain(again).main).toContainText('Ningún documento espera su firma')
})

test('batch connection lost: stops, and continues without choosing files again', async ({
  page,
  waiting,
}) => {
  const { main, button } = inMain(page)
  const { party, session } = await waiting(3)
  await signInAt(page, party, `/dashboard/signing/batch?session=${session}`)
  await fillSigning(page, keyOf(party))
  // An answer that is lost is asked for three times; the signature of the first was stored all the same.
  await page.route(
    '**/sign/complete',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 3 },
  )
  await button('Firmar los marcados').click()
  await expect(page.getByRole('alert')).toHaveText(
    'Error de conexión. Por favor, verifique su conexión a internet. No se sabe si la firma llegó a guardarse; al volver a firmar se comprueba primero.',
  )
  await expect(signedRows(page)).toHaveCount(0)
  await expect(main).toContainText('No se sabe si se firmó')
  await expect(main).not.toContainText('No se firmó')
  await button('Firmar los marcados').click()
  await expect(main).toContainText('Se firmaron 3 de 3', { timeout: 120_000 })
})

test('batch, session ended: leads to the sign-in, and back to the documents of the same session', async ({
  page,
  context,
  waiting,
}) => {
  const { party, session } = await waiting(2)
  const address = `/dashboard/signing/batch?session=${session}`
  await signInAt(page, party, address)
  await fillSigning(page, keyOf(party))
  const other = await context.newPage()
  await other.goto('/dashboard')
  await other.locator('form[action="/logout"] button').first().dispatchEvent('click')
  await expect(other).toHaveURL('/login')
  await inMain(page).button('Firmar los marcados').click()
  await expect(page.getByRole('alert')).toHaveText(
    'Su sesión ha expirado. Por favor, inicie sesión nuevamente.',
  )
  await expect(inMain(page).field('Contraseña de la clave privada')).toHaveValue('')
  await expect(page).toHaveURL(`/login?returnUrl=${encodeURIComponent(address)}`)
  await signIn(page, party)
  await expect(page).toHaveURL(address)
  await expect(boxes(page)).toHaveCount(2)
})

test('ten signers sign one document at the same time, each typing once', async ({
  browser,
  demo,
  person,
  parties,
  uploadedDeed,
}) => {
  test.setTimeout(240_000)
  const ten = await parties(10)
  const deed = await uploadedDeed()
  await openSession(demo.origin, person('CLERK'), [deed], ten)
  const pages: Page[] = []
  // One after another: ten browsers that start at once are slow themselves.
  for (const party of ten) pages.push(await openSigning(browser, demo.origin, party, deed.id))
  await Promise.all(pages.map((page) => inMain(page).button('Firmar documento').click()))
  await Promise.all(
    pages.map((page) =>
      page.waitForURL(`${demo.origin}/dashboard/documents/${deed.id}`, { timeout: 200_000 }),
    ),
  )
  await Promise.all(pages.map((page) => page.context().close()))

  const client = await signedInClient(demo.origin, person('CLERK'))
  // Uploaded, prepared, and ten signatures.
  const file = await downloadVersion(client, deed, 12)
  const root = path.join(process.env.DEMO_DATA ?? '', 'demo/authority/root.cer')
  const judged = judgePdf(file, root)
  expect(judged.signatures).toHaveLength(10)
  expect(judged.signatures.every(({ isValid }) => isValid)).toBe(true)
})

async function openSigning(
  browser: Browser,
  origin: string,
  party: Party,
  id: string,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, locale: 'es-MX' })
  const page = await context.newPage()
  await signInAt(page, party, `/dashboard/documents/${id}/sign`)
  await fillSigning(page, keyOf(party))
  return page
}
