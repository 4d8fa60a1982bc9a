import type { Page } from '@playwright/test'
import { aFile, test as base, expect, fillSigning, inMain } from '#tests/e2e/support/fixtures.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { pkcs12Owned } from '#tests/e2e/support/pkcs12.ts'
import { type RecordingProxy, startRecordingProxy } from '#tests/e2e/support/recording-proxy.ts'
import { secretsIn } from '#tests/e2e/support/secrets.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'

const ISLAND = /sign-batch[^/]*\.js/

/** Every byte that the browser sends passes the recorder; `batch` is the address of a batch of the notary. */
const test = base.extend<{ recorder: RecordingProxy; batch: (count: number) => Promise<string> }>({
  recorder: async ({}, use) => {
    const proxy = await startRecordingProxy()
    await use(proxy)
    await proxy.close()
  },
  proxy: async ({ recorder }, use) => {
    await use({ server: recorder.address, bypass: '<-loopback>' })
  },
  batch: async ({ demo, person, uploadedDeed }, use) => {
    await use(async (count) => {
      const rows = officeDatabase(process.env.DEMO_DATA ?? '')
      const { email } = person('titular')
      const [signer] = rows.all<{ id: string }>('select id from users where email = ?', email)
      rows.close()
      if (!signer) throw new Error('no notary')
      const deeds = []
      while (deeds.length < count) deeds.push(await uploadedDeed())
      const session = await openSession(demo.origin, person('CLERK'), deeds, [signer])
      return `/dashboard/signing/batch?session=${session}`
    })
  },
})

test('batch: sends certificates and signatures but nothing of the key', async ({
  page,
  recorder,
  signedInAs,
  batch,
}) => {
  const address = await batch(3)
  const notary = await signedInAs('titular')
  const bodies: string[][] = []
  page.on('request', (request) => {
    if (request.method() === 'POST')
      bodies.push([...new URLSearchParams(request.postData() ?? '').keys()])
  })
  await page.goto(address)
  await fillSigning(page, notary)
  for (const input of await page.locator('main form').locator('input, select, textarea').all())
    expect(await input.getAttribute('name')).toBeNull()
  await inMain(page).button('Firmar los marcados').click()
  await expect(inMain(page).main).toContainText('Se firmaron 3 de 3')
  await page.goto('about:blank')
  const each = [
    ['csrf', 'version', 'certificate'],
    ['csrf', 'preparedId', 'signature', 'batch'],
  ]
  // The first alone, and the others at once.
  expect(bodies.slice(0, 2)).toEqual(each)
  expect(bodies.toSorted()).toEqual([...each, ...each, ...each].toSorted())
  expect(secretsIn(recorder.recorded(), notary)).toEqual([])
})

test('batch with a PKCS#12 file: sends only its certificate and signatures', async ({
  page,
  recorder,
  signedInAs,
  batch,
}) => {
  const address = await batch(2)
  const { keyPassword, ...notary } = await signedInAs('titular')
  const file = pkcs12Owned({ ...notary, keyPassword })
  await page.goto(address)
  await fillSigning(page, { pkcs12: aFile('efirma.p12', file), keyPassword })
  await inMain(page).button('Firmar los marcados').click()
  await expect(inMain(page).main).toContainText('Se firmaron 2 de 2')
  await expect(inMain(page).field('Contraseña de la clave privada')).toHaveValue('')
  await page.goto('about:blank')
  const owner = { ...notary, keyPassword }
  expect(secretsIn(recorder.recorded(), owner, { 'PKCS#12 file': file })).toEqual([])
})

test('batch stopped and left midway: sends nothing of the key', async ({
  page,
  recorder,
  signedInAs,
  batch,
}) => {
  const address = await batch(3)
  const notary = await signedInAs('titular')
  await page.goto(address)
  await fillSigning(page, notary)
  await page.route(
    '**/sign/prepare',
    async (route) => {
      await inMain(page).button('Detener').click()
      await route.continue()
    },
    { times: 1 },
  )
  await inMain(page).button('Firmar los marcados').click()
  await expect(page.getByRole('alert')).toContainText('Se detuvo.')
  await page.goto('/dashboard')
  await page.goBack()
  await expect(inMain(page).field('Contraseña de la clave privada')).toHaveValue('')
  expect(secretsIn(recorder.recorded(), notary)).toEqual([])
})

test('script blocked: there is no form, and the page names the alternative', async ({
  page,
  recorder,
  signedInAs,
  batch,
}) => {
  const address = await batch(1)
  await signedInAs('titular')
  await page.route(ISLAND, (route) => route.abort())
  await page.goto(address)
  await nothingCanBeSent(page, recorder)
  await inMain(page).link('Enviar la clave para firmar en el servidor').click()
  await expect(page).toHaveURL(/\/dashboard\/signing\/batch\/without-scripts\?session=/)
  await expect(inMain(page).field('Clave privada (.key)')).toBeVisible()
})

test('script throws while it runs: there is no form', async ({
  page,
  recorder,
  faults,
  signedInAs,
  batch,
}) => {
  const address = await batch(1)
  await signedInAs('titular')
  recorder.changing('/dashboard/signing/batch', (body) =>
    body.replaceAll('data-part="progress"', 'data-part="gone"'),
  )
  await page.goto(address)
  await expect.poll(() => faults.splice(0)).toEqual([expect.stringContaining('progress')])
  await nothingCanBeSent(page, recorder)
})

test('script loads late: there is no form before it, and then it signs', async ({
  page,
  recorder,
  signedInAs,
  batch,
}) => {
  const address = await batch(1)
  const notary = await signedInAs('titular')
  const late = Promise.withResolvers<void>()
  await page.route(ISLAND, async (route) => {
    await late.promise
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'commit' })
  await expect(inMain(page).main).toContainText('estará lista cuando termine de cargar')
  await nothingCanBeSent(page, recorder)
  late.resolve()
  await fillSigning(page, notary)
  await inMain(page).button('Firmar los marcados').click()
  await expect(inMain(page).main).toContainText('Se firmó 1 de 1')
  expect(secretsIn(recorder.recorded(), notary)).toEqual([])
})

/** No form and no button: the marks of the list alone, which nothing sends. */
async function nothingCanBeSent(page: Page, recorder: RecordingProxy) {
  const { main, button, link } = inMain(page)
  await expect(link('Enviar la clave para firmar en el servidor')).toBeVisible()
  await expect(main.locator('form, button, input:not([type=checkbox])')).toHaveCount(0)
  await expect(button('Firmar los marcados')).toHaveCount(0)
  await main.getByRole('checkbox').first().focus()
  await page.keyboard.press('Enter')
  expect(recorder.recorded().toString('latin1')).not.toMatch(/^POST /m)
}
