import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { aFile, test as base, expect, fillSigning, inMain } from '#tests/e2e/support/fixtures.ts'
import { OF_WINDOWS, pkcs12Owned } from '#tests/e2e/support/pkcs12.ts'
import { type RecordingProxy, startRecordingProxy } from '#tests/e2e/support/recording-proxy.ts'
import { secretsIn } from '#tests/e2e/support/secrets.ts'
import { wrappedByOpenssl } from '#tests/support/keys/openssl-keys.ts'

const ISLAND = /sign-with-efirma[^/]*\.js/
const OTHER_DOCUMENT =
  'Lo que el servidor pidió firmar no es el documento que usted tiene en pantalla. No se firmó nada; recargue la página y revíselo.'

/** Every byte that the browser sends passes the recorder. */
const test = base.extend<{ recorder: RecordingProxy }>({
  recorder: async ({}, use) => {
    const proxy = await startRecordingProxy()
    await use(proxy)
    await proxy.close()
  },
  proxy: async ({ recorder }, use) => {
    await use({ server: recorder.address, bypass: '<-loopback>' })
  },
})

test('signing: sends the certificate and a signature but nothing of the key', async ({
  page,
  recorder,
  signedInAs,
  uploadedDeed,
}) => {
  const { button, text, field } = inMain(page)
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed()
  const bodies: URLSearchParams[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') bodies.push(new URLSearchParams(request.postData() ?? ''))
  })

  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await fillSigning(page, notary)
  const inputs = await page.locator('main form').locator('input, select, textarea').all()
  expect(inputs).toHaveLength(4)
  for (const input of inputs) expect(await input.getAttribute('name')).toBeNull()
  expect(await kept(page)).toEqual(READABLE_COOKIES)
  await field('Contraseña de la clave privada').press('Enter')
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
  await expect(text('Firmado')).toBeVisible()
  await expect(button('Firmar documento')).toHaveCount(0)
  // Requests that the page could send on unload.
  await page.goto('about:blank')

  expect(bodies.map((body) => [...body.keys()])).toEqual([
    ['csrf', 'version', 'certificate', 'unread'],
    ['csrf', 'preparedId', 'signature'],
  ])
  const certificate = Buffer.from(bodies[0]?.get('certificate') ?? '', 'base64')
  expect(certificate.equals(readFileSync(notary.cer))).toBe(true)
  const sent = recorder.recorded()
  expect(sent.includes(`/dashboard/documents/${deed.id}/sign/complete`)).toBe(true)
  expect(secretsIn(sent, notary)).toEqual([])

  await page.goto('/dashboard')
  expect(await kept(page)).toEqual(READABLE_COOKIES)
})

test('signing with a PKCS#12 file: sends only its certificate and a signature', async ({
  page,
  recorder,
  signedInAs,
  uploadedDeed,
}) => {
  const { button, field, main, text } = inMain(page)
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed()
  const file = pkcs12Owned(notary, OF_WINDOWS)
  const bodies: URLSearchParams[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') bodies.push(new URLSearchParams(request.postData() ?? ''))
  })

  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await fillSigning(page, { pkcs12: aFile('efirma.pfx', file), keyPassword: 'no es esta' })
  await expect(main).toContainText('Es un archivo PKCS#12. Se abre en su equipo')
  await button('Firmar documento').click()
  await expect(main).toContainText('La contraseña no corresponde a este archivo PKCS#12.')
  await field('Contraseña de la clave privada').fill(notary.keyPassword)
  await button('Firmar documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
  await expect(text('Firmado')).toBeVisible()
  await page.goto('about:blank')

  expect(bodies.map((body) => [...body.keys()])).toEqual([
    ['csrf', 'version', 'certificate', 'unread'],
    ['csrf', 'preparedId', 'signature'],
  ])
  const certificate = Buffer.from(bodies[0]?.get('certificate') ?? '', 'base64')
  expect(certificate.equals(readFileSync(notary.cer))).toBe(true)
  expect(secretsIn(recorder.recorded(), notary, { 'PKCS#12 file': file })).toEqual([])
})

for (const [what, args] of [
  ['PBE-SHA1-3DES', ['pkcs8', '-topk8', '-v1', 'PBE-SHA1-3DES', '-outform', 'DER']],
  ['scrypt', ['pkcs8', '-topk8', '-scrypt']],
  ['its old PEM', ['rsa', '-traditional', '-aes256']],
] as const)
  test(`signing with a key that OpenSSL wrapped again by ${what}: sends nothing of it`, async ({
    page,
    recorder,
    signedInAs,
    uploadedDeed,
  }) => {
    const { button, main, text } = inMain(page)
    const notary = await signedInAs('titular')
    const deed = await uploadedDeed()
    const owned = { key: readFileSync(notary.key), format: 'der', type: 'pkcs8' } as const
    const plain = createPrivateKey({ ...owned, passphrase: notary.keyPassword })
    const file = wrappedByOpenssl(plain, notary.keyPassword, args)
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    const key = aFile('renovada.key', file)
    await fillSigning(page, { cer: notary.cer, key, keyPassword: notary.keyPassword })
    await expect(main).toContainText('Es una clave privada de e.firma. No saldrá de su equipo.')
    await button('Firmar documento').click()
    await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
    await expect(text('Firmado')).toBeVisible()
    expect(secretsIn(recorder.recorded(), notary, { 'key file': file })).toEqual([])
  })

test('unusable PKCS#12 file: reported at its field, and nothing is sent', async ({
  page,
  recorder,
  signedInAs,
  uploadedDeed,
  person,
}) => {
  const { button, main } = inMain(page)
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed()
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await fillSigning(page, { pkcs12: aFile('poder.pfx', '%PDF-1.7'), keyPassword: 'cualquiera' })
  await expect(main).toContainText('Es un documento PDF, no un archivo PKCS#12.')
  await main
    .getByLabel('Archivo PKCS#12 (.p12 o .pfx)')
    .setInputFiles(aFile('otra.p12', pkcs12Owned(person('CLERK'))))
  await main.getByLabel('Contraseña de la clave privada').fill(person('CLERK').keyPassword)
  await button('Firmar documento').click()
  await expect(main).toContainText('El certificado pertenece a otra persona')
  await main.getByLabel('Certificado (.cer)').setInputFiles(notary.cer)
  await button('Firmar documento').click()
  await expect(main).toContainText('Elija el archivo PKCS#12 o los dos archivos de la e.firma')
  const sent = recorder.recorded()
  expect(sent.toString('latin1')).not.toMatch(/^POST /m)
  expect(secretsIn(sent, person('CLERK'))).toEqual([])
})

test('choosing files, typing and leaving: sends nothing of them', async ({
  page,
  recorder,
  signedInAs,
  uploadedDeed,
}) => {
  const notary = await signedInAs('titular')
  const deed = await uploadedDeed()
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await fillSigning(page, notary)
  await page.reload()
  await fillSigning(page, { ...notary, keyPassword: `${notary.keyPassword} no` })
  await inMain(page).button('Firmar documento').click()
  await expect(inMain(page).main).toContainText('La contraseña no corresponde')
  await page.goto('/dashboard')
  const sent = recorder.recorded()
  expect(secretsIn(sent, notary)).toEqual([])
  expect(sent.toString('latin1')).not.toMatch(/^POST /m)
})

test('the search for the key finds it in every encoding', async ({
  page,
  recorder,
  signedInAs,
}) => {
  const notary = await signedInAs('titular')
  await page.goto('/dashboard')
  const file = readFileSync(notary.key)
  const wrappings: Record<string, string> = {
    base64: `x=1${file.toString('base64')}`,
    'base64 one byte later': Buffer.concat([Buffer.from('k'), file]).toString('base64'),
    'base64url two bytes later': Buffer.concat([Buffer.from('ke'), file]).toString('base64url'),
    hexadecimal: file.toString('hex'),
    'forty bytes of it': file.subarray(400, 440).toString('base64'),
    'a form': new URLSearchParams({ file: file.toString('latin1') }).toString(),
    numbers: JSON.stringify([...file]),
  }
  for (const [name, body] of Object.entries(wrappings)) {
    recorder.forget()
    await page.evaluate((text) => fetch('/robots.txt', { method: 'POST', body: text }), body)
    expect(secretsIn(recorder.recorded(), notary), name).toContain('key file')
  }
  for (const how of ['address', 'beacon', 'header'] as const) {
    recorder.forget()
    await page.evaluate(leak, { how, secret: notary.keyPassword })
    await expect
      .poll(() => secretsIn(recorder.recorded(), notary), { message: how })
      .toContain('password')
  }
})

async function leak({ how, secret }: { how: 'address' | 'beacon' | 'header'; secret: string }) {
  if (how === 'address') await fetch(`/robots.txt?${encodeURIComponent(secret)}`)
  if (how === 'beacon') navigator.sendBeacon('/robots.txt', secret)
  if (how === 'header')
    await fetch('/robots.txt', {
      headers: { 'X-Any': btoa(String.fromCharCode(...new TextEncoder().encode(secret))) },
    })
}

test.describe('signing script does not run', () => {
  test('blocked: there is no form, and the page names the alternative', async ({
    page,
    recorder,
    signedInAs,
    uploadedDeed,
  }) => {
    await signedInAs('titular')
    const deed = await uploadedDeed()
    await page.route(ISLAND, (route) => route.abort())
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    await nothingCanBeSent(page, recorder)
    await inMain(page).link('Enviar la clave para firmar en el servidor').click()
    await expect(page).toHaveURL(`/dashboard/documents/${deed.id}/sign/without-scripts`)
    await expect(inMain(page).field('Clave privada (.key)')).toBeVisible()
  })

  test('throws on load: there is no form', async ({
    page,
    recorder,
    faults,
    signedInAs,
    uploadedDeed,
  }) => {
    await signedInAs('titular')
    const deed = await uploadedDeed()
    await page.route(ISLAND, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("on purpose")' }),
    )
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    await expect.poll(() => faults.splice(0)).toEqual([expect.stringContaining('on purpose')])
    await nothingCanBeSent(page, recorder)
  })

  test('throws while it runs: there is no form', async ({
    page,
    recorder,
    faults,
    signedInAs,
    uploadedDeed,
  }) => {
    await signedInAs('titular')
    const deed = await uploadedDeed()
    recorder.changing(`/dashboard/documents/${deed.id}/sign`, (body) =>
      body.replaceAll('data-part="steps"', 'data-part="gone"'),
    )
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    await expect.poll(() => faults.splice(0)).toEqual([expect.stringContaining('steps')])
    await nothingCanBeSent(page, recorder)
  })

  test('loads late: there is no form before it, and then it signs', async ({
    page,
    recorder,
    signedInAs,
    uploadedDeed,
  }) => {
    const notary = await signedInAs('titular')
    const deed = await uploadedDeed()
    const late = Promise.withResolvers<void>()
    await page.route(ISLAND, async (route) => {
      await late.promise
      await route.continue()
    })
    await page.goto(`/dashboard/documents/${deed.id}/sign`, { waitUntil: 'commit' })
    await expect(inMain(page).main).toContainText('estará lista cuando termine de cargar')
    await nothingCanBeSent(page, recorder)
    late.resolve()
    await fillSigning(page, notary)
    await inMain(page).button('Firmar documento').click()
    await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
    await expect(inMain(page).text('Firmado')).toBeVisible()
    expect(secretsIn(recorder.recorded(), notary)).toEqual([])
  })
})

/** No field, no button, no form; and the keyboard changes nothing of it. */
async function nothingCanBeSent(page: Page, recorder: RecordingProxy) {
  const { main, field, button, link } = inMain(page)
  await expect(link('Enviar la clave para firmar en el servidor')).toBeVisible()
  await expect(main.locator('form, input, button')).toHaveCount(0)
  for (const label of [
    'Certificado (.cer)',
    'Clave privada (.key)',
    'Contraseña de la clave privada',
  ])
    await expect(field(label)).toHaveCount(0)
  await expect(button('Firmar documento')).toHaveCount(0)
  await main.focus()
  await page.keyboard.press('Enter')
  expect(recorder.recorded().toString('latin1')).not.toMatch(/^POST /m)
}

test.describe('server asks for other attributes to be signed', () => {
  const lies: Record<string, (answer: Record<string, string>) => Record<string, string>> = {
    'another document': (answer) => ({ ...answer, documentSha256: 'ab'.repeat(32) }),
    'another digest': (answer) => ({ ...answer, digest: Buffer.alloc(32, 7).toString('base64') }),
    'other bytes': (answer) => {
      const bytes = Buffer.from(answer.toBeSigned ?? '', 'base64')
      bytes[bytes.length - 1] = bytes[bytes.length - 1]! ^ 1
      return { ...answer, toBeSigned: bytes.toString('base64') }
    },
  }
  for (const [what, lie] of Object.entries(lies))
    test(`${what}: the key signs nothing`, async ({ page, recorder, signedInAs, uploadedDeed }) => {
      const notary = await signedInAs('titular')
      const deed = await uploadedDeed()
      recorder.changing(`/dashboard/documents/${deed.id}/sign/prepare`, (body) =>
        JSON.stringify(lie(JSON.parse(body))),
      )
      await page.goto(`/dashboard/documents/${deed.id}/sign`)
      await fillSigning(page, notary)
      await inMain(page).button('Firmar documento').click()
      await expect(page.getByRole('alert')).toHaveText(OTHER_DOCUMENT)
      expect(recorder.recorded().includes('/sign/complete')).toBe(false)
      expect(secretsIn(recorder.recorded(), notary)).toEqual([])
    })
})

/** The token of the forms, and the mark that says that there is a session to refresh. */
const READABLE_COOKIES = [
  expect.stringMatching(/^csrftoken=[\w-]{22}\.[\w-]{43}$/),
  'refresh_token=1',
]

/** Everything that the page stores or can read in this browser. */
function kept(page: Page): Promise<string[]> {
  return page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()).map(({ name }) => String(name)),
    ...(await caches.keys()),
    ...document.cookie.split('; ').sort(),
  ])
}
