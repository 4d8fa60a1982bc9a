import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { isHydratedPath } from '#app/hydrated-paths.ts'
import { openPage } from '#tests/e2e/support/client-state.ts'
import { expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { FORM_PAGES_OF_STRANGERS, formPages } from '#tests/e2e/support/form-pages.ts'
import { test } from '#tests/e2e/support/late-user.ts'
import { fillIn, formsOn, nameOf, submitButtonOf, typedIn } from '#tests/e2e/support/typed-forms.ts'

/* What was typed stays in its form when the form cannot be sent. */

const PROXY = '<html><body><main>nginx</main></body></html>'
const FAULTS = [
  ['abort', 'Error de conexión. Por favor, verifique su conexión a internet.'],
  [{ status: 500, body: PROXY }, 'Error del servidor. Por favor, intente más tarde.'],
  [{ status: 502, body: '' }, 'Ocurrió un error inesperado. Por favor, intente nuevamente.'],
] as const

/** Buttons for the way out and for the theme: the browser sends them, and nothing is typed in them. */
const HAS_NO_FIELDS = /^\/(?:logout|theme) /

/** Fails every form that the page sends, and nothing else. */
async function failForms(page: Page, fault: (typeof FAULTS)[number][0]): Promise<void> {
  await page.unroute('**/*')
  await page.route('**/*', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback()
    if (fault === 'abort') return await route.abort()
    await route.fulfill({ contentType: 'text/html', ...fault })
  })
}

/** The same element, also if rows of other users come into the list before it. */
async function pinned(page: Page, form: Locator): Promise<Locator> {
  const mark = randomUUID()
  await form.evaluate((element, value) => element.setAttribute('data-pinned', value), mark)
  return page.locator(`[data-pinned="${mark}"]`)
}

/** Sends a form in vain, once for each fault. Returns what was wrong. */
async function sendInVain(page: Page, nthForm: Locator): Promise<string[]> {
  const form = await pinned(page, nthForm)
  await fillIn(form)
  const button = submitButtonOf(form)
  if ((await button.count()) === 0 || !(await button.isVisible())) return []
  const [typed, address, name] = [await typedIn(form), page.url(), await nameOf(form)]
  const wrong: string[] = []
  for (const [fault, sentence] of FAULTS) {
    await failForms(page, fault)
    await button.click()
    const said = page.getByText(sentence).filter({ visible: true })
    await said
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => wrong.push(`${name}: ${sentence}`))
    if (page.url() !== address) wrong.push(`${name}: left for ${page.url()}`)
    expect.soft(await typedIn(form), name).toEqual(typed)
  }
  await page.unroute('**/*')
  return wrong
}

async function sendAllOf(page: Page, path: string): Promise<{ names: string[]; wrong: string[] }> {
  const [names, wrong]: [string[], string[]] = [[], []]
  const forms = formsOn(page)
  for (let index = 0; index < (await forms.count()); index += 1) {
    const form = forms.nth(index)
    // A list has the same form in each row.
    const name = (await nameOf(form)).replace(/[0-9a-f-]{36}/g, 'ID')
    if (names.includes(name) || HAS_NO_FIELDS.test(name)) continue
    names.push(name)
    wrong.push(...(await sendInVain(page, form)))
  }
  return { names, wrong: wrong.map((one) => `${path}: ${one}`) }
}

test('every form of strangers: stays as it is without a connection, and if a proxy answers', async ({
  page,
  faults,
}) => {
  test.slow()
  const wrong: string[] = []
  for (const path of FORM_PAGES_OF_STRANGERS) {
    await page.goto(path)
    wrong.push(...(await sendAllOf(page, path)).wrong)
  }
  expect(wrong).toEqual([])
  faults.length = 0
})

test('every form of the office: stays as it is without a connection, and if a proxy answers', async ({
  page,
  late,
  uploadedDeed,
  turn,
  draftSession,
  faults,
}) => {
  test.setTimeout(900_000)
  const deed = await uploadedDeed()
  const things = { deed, turn, sessionId: await draftSession(deed.id), userId: late.id }
  await page.goto('/login')
  await signIn(page, late)
  await expect(page).toHaveURL('/dashboard')
  const [wrong, names]: [string[], string[]] = [[], []]
  for (const path of formPages(things)) {
    if (isHydratedPath(path)) await openPage(page, path)
    else await page.goto(path)
    const sent = await sendAllOf(page, path)
    wrong.push(...sent.wrong)
    names.push(...sent.names)
  }
  expect(wrong).toEqual([])
  expect(new Set(names).size).toBeGreaterThan(30)
  faults.length = 0
})

test('sign-in form: after a failure it can be sent again', async ({ page, person, faults }) => {
  const { field, button } = inMain(page)
  const { email, password } = person('titular')
  await page.goto('/login')
  await failForms(page, 'abort')
  await field('Correo electrónico').fill(email)
  await field('Contraseña').fill(password)
  await button('Iniciar Sesión').click()
  await expect(page.getByRole('alert')).toHaveText(FAULTS[0][1])
  await page.unroute('**/*')
  await button('Iniciar Sesión').click()
  await expect(page).toHaveURL(/\/(?:dashboard|mfa|setup-mfa)/)
  faults.length = 0
})

test('sign-in form: a refusal is shown in its page, which keeps the address typed', async ({
  page,
}) => {
  const { field, button } = inMain(page)
  await page.goto('/login')
  await field('Correo electrónico').fill('nadie@notaria.example')
  await field('Contraseña').fill('tortuga verde sobre el tejado')
  await button('Iniciar Sesión').click()
  await expect(page.getByRole('alert')).toHaveText('El correo o la contraseña no son correctos.')
  await expect(field('Correo electrónico')).toHaveValue('nadie@notaria.example')
  await expect(field('Contraseña')).toHaveValue('')
  await expect(field('Contraseña')).toBeFocused()
  // And once more, from the page that came with the answer.
  await field('Correo electrónico').fill('')
  await button('Iniciar Sesión').click()
  await expect(page.getByText('Escriba su correo completo')).toBeVisible()
  await expect(field('Correo electrónico')).toBeFocused()
})

test('double click: a form is sent once', async ({ page, faults }) => {
  const { field, button } = inMain(page)
  let sent = 0
  await page.route('**/login', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback()
    sent += 1
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.fulfill({ status: 502, body: '' })
  })
  await page.goto('/login')
  await field('Correo electrónico').fill('nadie@notaria.example')
  await button('Iniciar Sesión').dblclick()
  await expect(page.getByRole('alert')).toBeVisible()
  expect(sent).toBe(1)
  faults.length = 0
})
