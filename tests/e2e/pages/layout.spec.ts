import type { Page } from '@playwright/test'
import { uploadDrafts } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, messageOn, test } from '#tests/e2e/support/fixtures.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'
import {
  ACCOUNT_STOPS,
  DASHBOARD_STOPS,
  MENU,
  PUBLIC_STOPS,
  pathsOfThings,
  stopsOf,
  stopsOfDraft,
} from '#tests/e2e/support/site-map.ts'
import { findThings } from '#tests/e2e/support/things.ts'

/* Quotations are from the specification, §§ 2 and 9. */

test('§2 "The top bar holds a link to /verify/document labelled "Verificar Documento" and a button to /login labelled "Iniciar Sesión". The footer states that it is a secure digital signing system for Mexican notary offices"', async ({
  page,
}) => {
  for (const path of ['/', '/verify/document', '/verify/00000000-0000-4000-8000-000000000000']) {
    await page.goto(path)
    const bar = page.getByRole('banner')
    const verify = bar.getByRole('link', { name: 'Verificar Documento', exact: true })
    await expect(verify).toHaveAttribute('href', '/verify/document')
    const login = bar.getByRole('link', { name: 'Iniciar Sesión', exact: true })
    await expect(login).toHaveAttribute('href', '/login')
    await expect(page.getByRole('contentinfo')).toContainText(
      'Sistema seguro de firma digital para notarías de México',
    )
  }
  await page.getByRole('banner').getByRole('link', { name: 'Iniciar Sesión' }).click()
  await expect(page).toHaveURL('/login')
})

test('§2 "A fixed top bar shows the current page label (default "Dashboard"), the text "Notario: {first name} {last name}" and an avatar with the user\'s initials", "The side menu lists: Dashboard (/dashboard), Documentos (/dashboard/documents), Firmar (/dashboard/signing), …"', async ({
  page,
  signedInAs,
  signedDeed,
  uploadedDeed,
  person,
}) => {
  test.slow()
  const deed = await signedDeed()
  const ofDraft = stopsOfDraft(await uploadedDeed())
  const inDashboard = [...stopsOf(deed).filter(({ label }) => label), ...ofDraft]
  for (const [who, initials] of [
    ['titular', 'MN'],
    ['AUDITOR', 'LD'],
  ] as const) {
    const { firstName, lastName } = await signedInAs(who)
    await page.goto('/dashboard')
    const bar = page.getByRole('banner')
    await expect(bar).toContainText(`Notario: ${firstName} ${lastName}`)
    await expect(bar.getByText(initials, { exact: true })).toBeVisible()
  }
  await signedInAs('titular')
  for (const { path, label, title } of [...DASHBOARD_STOPS, ...inDashboard]) {
    await page.goto(path)
    await expect(page, path).toHaveTitle(title)
    const bar = page.getByRole('banner')
    const shown = bar.getByText(label ?? '', { exact: true }).filter({ visible: true })
    await expect(shown, path).toBeVisible()
    await expect(bar).toHaveCSS('position', 'fixed')
    const { firstName, lastName } = person('titular')
    await expect(bar).toContainText(`Notario: ${firstName} ${lastName}`)
    const entries = page.getByRole('navigation', { name: 'Principal' }).getByRole('link')
    await expect(entries).toHaveText(MENU.map(([name]) => name))
    expect(await entries.evaluateAll(addressesOf)).toEqual(MENU.map(([, href]) => href))
  }
})

const addressesOf = (links: Element[]) => links.map((link) => link.getAttribute('href'))

test('§2 "The avatar menu has "Mi Perfil" (goes to /dashboard/profile) and "Cerrar Sesión""', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('titular')
  await page.goto('/dashboard')
  const bar = page.getByRole('banner')
  const profile = bar.getByRole('link', { name: 'Mi Perfil', exact: true })
  const leave = bar.getByRole('button', { name: 'Cerrar Sesión', exact: true })
  await expect(profile).toBeHidden()
  await bar.getByText('MN', { exact: true }).click()
  await expect(leave).toBeVisible()
  await profile.click()
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(profile).toBeHidden()
  await bar.getByText('MN', { exact: true }).click()
  await leave.click()
  await expect(page).toHaveURL('/login')
})

test('§2 "On small screens the menu is a toggleable drawer; on wider screens it is permanent", §9 "Side menu width 240 px", "mobile breakpoint is the small one"', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await page.goto('/dashboard')
  const menu = page.getByRole('navigation', { name: 'Principal' })
  await expect(menu).toHaveCount(1)
  for (const path of ['/dashboard', '/dashboard/']) {
    await page.goto(path)
    await expect(menu.getByRole('link', { name: 'Dashboard', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
  }
  expect(await widthOf(page, menu)).toBe(240)
  await expect(menu).toBeVisible()

  await page.setViewportSize({ width: 360, height: 740 })
  const button = page.getByRole('banner').locator('summary[aria-label="Menú"]')
  const entry = menu.getByRole('link', { name: 'Documentos', exact: true })
  await expect(entry).toHaveCount(0)
  await button.click()
  await expect(entry).toBeVisible()
  await expect.poll(() => widthOf(page, menu)).toBe(240)
  await button.click()
  await expect(entry).toHaveCount(0)
  await button.click()
  await entry.click()
  await expect(page).toHaveURL('/dashboard/documents')
  await expect(entry).toHaveCount(0)
  await page.setViewportSize({ width: 767, height: 740 })
  await expect(entry).toHaveCount(0)
  await page.setViewportSize({ width: 768, height: 740 })
  await expect(menu).toBeVisible()
})

async function widthOf(page: Page, element: ReturnType<Page['locator']>) {
  await page.waitForLoadState()
  return Math.round((await element.boundingBox())?.width ?? 0)
}

test('§9 "Primary colour green; 8 px border radius", and es-MX', async ({ page, signedInAs }) => {
  await signedInAs('CLERK')
  for (const [path, name] of [
    ['/verify/document', 'Buscar'],
    ['/dashboard/documents/new', 'Subir'],
  ] as const) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-MX')
    const button = inMain(page).button(name)
    await expect(button).toHaveCSS('border-radius', '8px')
    const [red = 0, green = 0, blue = 0] = await button.evaluate((element) =>
      getComputedStyle(element).backgroundColor.match(/\d+/g)!.map(Number),
    )
    expect(green).toBeGreaterThan(Math.max(red, blue))
    const fields = page.getByRole('main').locator('input:not([type=hidden]), select')
    for (const field of await fields.filter({ visible: true }).all())
      await expect(field).toHaveCSS('border-radius', '8px')
  }
})

test('§2 "The application shell sets a dark mode marker on the document root according to the theme setting", §4 "Theme can be changed and persists"', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await page.emulateMedia({ colorScheme: 'dark' })
  const hasMark = (mark: string) =>
    expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', mark)
  const hasPaper = (paper: string) =>
    expect(page.locator('body')).toHaveCSS('background-color', paper)
  const [LIGHT, DARK] = ['rgb(251, 250, 247)', 'rgb(15, 22, 19)'] as const
  await page.goto('/')
  await hasMark('auto')
  await hasPaper(DARK)
  await page.emulateMedia({ colorScheme: 'light' })
  await hasPaper(LIGHT)

  for (const path of ['/?seen=1', '/dashboard/profile']) {
    await page.goto(path)
    for (const [name, mark, ground] of [
      ['Oscuro', 'dark', DARK],
      ['Claro', 'light', LIGHT],
      ['Sistema', 'auto', LIGHT],
    ] as const) {
      const place = path.startsWith('/?') ? page.getByRole('contentinfo') : page.getByRole('main')
      await place.getByRole('button', { name, exact: true }).click()
      await hasMark(mark)
      // The page shows the theme at once; the button is pressed when it has been kept.
      const pressed = place.getByRole('button', { name, exact: true, pressed: true })
      await expect(pressed).toBeVisible()
      await expect(page).toHaveURL(path)
      await page.reload()
      await hasMark(mark)
      await hasPaper(ground)
      await expect(pressed).toBeVisible()
    }
  }
  const cookie = (await page.context().cookies()).find(({ name }) => name === '__Host-theme')
  expect(cookie).toMatchObject({ value: 'system', httpOnly: true, secure: true, sameSite: 'Lax' })
})

test('§2 "any other path | Not-found page | any", §8 "404 | El recurso solicitado no fue encontrado."', async ({
  page,
  signedInAs,
}) => {
  const paths = ['/nada', '/verify', '/verify/document/x', '/login/otra', '/dashboar', '/a/b/c.pdf']
  for (const path of paths) {
    const answer = await page.goto(path)
    expect([path, answer?.status()]).toEqual([path, 404])
    await expect(page.getByRole('alert')).toHaveText('El recurso solicitado no fue encontrado.')
    await expect(inMain(page).main.getByRole('heading')).toHaveText('Página no encontrada')
    await expect(page.getByRole('contentinfo')).toContainText('Sistema seguro de firma digital')
    await expect(page).toHaveTitle(/Rúbrica/)
  }
  await signedInAs('CLERK')
  for (const path of ['/dashboard/nada', '/dashboard/documents/no-es-un-id', '/dashboard/mfa/x']) {
    const answer = await page.goto(path)
    expect([path, answer?.status()]).toEqual([path, 404])
    await expect(page.getByRole('alert')).toHaveText('El recurso solicitado no fue encontrado.')
    await expect(page).toHaveTitle('Página no encontrada · Rúbrica')
    await expect(page.getByRole('navigation', { name: 'Principal' })).toBeVisible()
  }
})

test('layout: no page is wider than its window from 360 px up, and no list is cut off', async ({
  page,
  demo,
  person,
  signedInAs,
  signedDeed,
  uploadedDeed,
}) => {
  test.setTimeout(180_000)
  const deed = await signedDeed()
  const draft = await uploadedDeed()
  // More than one page of them, so that every list has its longest buttons.
  await uploadDrafts(demo.origin, person('CLERK'), 26)
  const signers = [
    {
      name: 'Begoña de la Purísima Concepción Peñaloza y Yáñez de Ibargüengoitia',
      rfc: 'PEYB820417HM1',
      email: 'begona.de.la.purisima.concepcion@correo-institucional.notaria.example',
    },
  ]
  const session = await openSession(demo.origin, person('CLERK'), [await uploadedDeed()], signers)
  await signedInAs('titular')
  const all = [...PUBLIC_STOPS, ...DASHBOARD_STOPS, ...stopsOf(deed), ...stopsOfDraft(draft)]
  const [reader, clerk] = [person('titular'), person('CLERK')]
  const things = await findThings({ demo, reader, clerk, signed: deed })
  const ofThings = [...pathsOfThings(things), ...ACCOUNT_STOPS]
  const paths = [...all.map(({ path }) => path), ...ofThings, `/dashboard/signing/${session}`]
  for (const path of [...paths, '/nada', '/dashboard/nada']) {
    await page.goto(path)
    for (const width of [1280, 1024, 768, 360]) {
      await page.setViewportSize({ width, height: 740 })
      expect([path, width, await page.evaluate(excessOfPage)]).toEqual([path, width, [0, []]])
    }
  }
})

/** By how many pixels the page is wider than its window, and each list wider than its frame. */
function excessOfPage() {
  const excess = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth
  const frames = [...document.querySelectorAll('main table')].map(({ parentElement }) =>
    parentElement ? excess(parentElement) : 0,
  )
  return [excess(document.documentElement), frames.filter((pixels) => pixels > 0)]
}

test('layout: the top bar of a telephone fits any page label and user name', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('titular')
  await page.setViewportSize({ width: 360, height: 740 })
  for (const path of ['/dashboard/signing/new', '/dashboard/signing/batch', '/dashboard']) {
    await page.goto(path)
    const heights = await page.getByRole('banner').evaluate((bar) => {
      const lines = [...bar.querySelectorAll(':scope > p')].map((line) => line.clientHeight)
      return { lines: lines.reduce((sum, height) => sum + height, 0), bar: bar.clientHeight }
    })
    expect([path, heights.lines <= heights.bar]).toEqual([path, true])
  }
})

test('layout: an email address in a list breaks between its words', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('administrador')
  await page.goto('/dashboard/settings/outbox')
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 })
    const words = await page.evaluate(wordsOfAddresses)
    expect(words.length).toBeGreaterThan(3)
    expect(words.filter(({ lines }) => lines > 1)).toEqual([])
  }
})

/** Every word of the addresses in the table, and on how many lines it stands. */
function wordsOfAddresses() {
  const texts = document.createTreeWalker(
    document.querySelector('main table')!,
    NodeFilter.SHOW_TEXT,
  )
  const words: { word: string; lines: number }[] = []
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const isOfAddress = text.parentElement?.textContent.includes('@')
    for (const { 0: word, index } of isOfAddress ? (text.textContent ?? '').matchAll(/\w+/g) : []) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      words.push({ word, lines: range.getClientRects().length })
    }
  }
  return words
}

test('layout: public pages have a title and a language', async ({ page }) => {
  for (const { path, title } of PUBLIC_STOPS) {
    await page.goto(path)
    await expect(page).toHaveTitle(title)
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-MX')
  }
})

test('layout: the message of an action shows once on the next page', async ({
  page,
  hasScripts,
  signedInAs,
}) => {
  await signedInAs('CLERK')
  await page.context().addCookies([
    {
      name: '__Host-flash',
      value: 'document-uploaded',
      domain: 'localhost',
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
    },
  ])
  await page.goto('/dashboard')
  await expect(messageOn(page, hasScripts)).toHaveText('El documento se guardó.')
  await page.reload()
  await expect(inMain(page).main.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(messageOn(page, hasScripts)).toHaveCount(0)
})
