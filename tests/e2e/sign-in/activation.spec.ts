import type { Response } from '@playwright/test'
import { expect, inMain, signIn } from '#tests/e2e/support/fixtures.ts'
import { test } from '#tests/e2e/support/newcomers.ts'

const GOOD = 'caballo grapa lluvia 47 tinta'

const isAnswer = (response: Response) =>
  response.request().method() === 'POST' && response.url().includes('/activate')

test('activation: the link works once and lets the invited user choose a password', async ({
  page,
  hasScripts,
  invited,
}) => {
  const { field, button, link, main } = inMain(page)
  await page.goto(`/activate#${invited.code}`)
  if (hasScripts) {
    await expect(field('Código del enlace')).toHaveValue(invited.code)
    await expect(page).not.toHaveURL(/#/)
  } else await field('Código del enlace').fill(invited.code.toLowerCase().replaceAll('-', ' '))
  await field('Contraseña nueva').fill('123456789012345')
  await field('Confirmar contraseña nueva').fill('123456789012345')
  const refused = page.waitForResponse(isAnswer)
  await button('Guardar y entrar').click()
  expect((await refused).status()).toBe(422)
  await expect(field('Contraseña nueva')).toHaveAccessibleDescription(/demasiado común|adivina/)
  await expect(main.getByRole('meter')).toBeVisible()

  // The code stays in the form, out of sight.
  await expect(main).toContainText('El código del enlace quedó anotado')
  expect(await page.content()).not.toContain(invited.code.replaceAll('-', ''))
  await field('Contraseña nueva').fill(GOOD)
  await field('Confirmar contraseña nueva').fill('otra cosa distinta')
  await button('Activar cuenta').click()
  await expect(field('Confirmar contraseña nueva')).toHaveAccessibleDescription(
    /Las dos contraseñas no son iguales/,
  )
  await field('Contraseña nueva').fill(GOOD)
  await field('Confirmar contraseña nueva').fill(GOOD)
  await button('Activar cuenta').click()
  await expect(page).toHaveURL(/\/setup-mfa\?returnUrl=%2Fdashboard#contenido$/)
  await link('Ahora no').click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('banner')).toContainText(invited.name)

  await page.context().clearCookies()
  await page.goto('/activate')
  await field('Código del enlace').fill(invited.code)
  await field('Contraseña nueva').fill(GOOD)
  await field('Confirmar contraseña nueva').fill(GOOD)
  const spent = page.waitForResponse(isAnswer)
  await button('Guardar y entrar').click()
  expect((await spent).status()).toBe(410)
  await expect(field('Código del enlace')).toHaveAccessibleDescription(
    /El enlace ya se usó o venció/,
  )
  await link('Iniciar Sesión').click()
  await signIn(page, { email: invited.email, password: GOOD })
  await expect(page).toHaveURL('/dashboard')
})

test('activation: an invalid code is refused at its field, and opening a link does not use it up', async ({
  page,
  invited,
}) => {
  const { field, button, link } = inMain(page)
  await page.goto('/login')
  await link('Activar una cuenta').click()
  await button('Guardar y entrar').click()
  await expect(field('Código del enlace')).toHaveAccessibleDescription(
    /Escriba los 26 caracteres del código/,
  )
  await expect(field('Contraseña nueva')).toHaveAccessibleDescription(/al menos 15 caracteres/)
  for (let look = 0; look < 3; look++) await page.goto(`/activate?x=${look}#${invited.code}`)
  await page.goto('/activate/installation')
  await expect(page).toHaveURL('/activate')
  await field('Código del enlace').fill(invited.code)
  await field('Contraseña nueva').fill(GOOD)
  await field('Confirmar contraseña nueva').fill(GOOD)
  await button('Guardar y entrar').click()
  await expect(page).toHaveURL(/\/setup-mfa/)
})

test('recovery: the page speaks of an account that is there, and of recovering it once the code is known', async ({
  page,
  hasScripts,
  forgetful,
}) => {
  const { field, button, main } = inMain(page)
  const heading = main.getByRole('heading', { level: 1 })
  const choose = async (password: string) => {
    await field('Contraseña nueva').fill(password)
    await field('Confirmar contraseña nueva').fill(password)
  }
  await page.goto(`/activate#${forgetful.code}`)
  await expect(heading).toHaveText('Elija su contraseña')
  await expect(main).toContainText('o recupera el acceso a la que ya tiene')
  if (!hasScripts) await field('Código del enlace').fill(forgetful.code)
  await choose('123456789012345')
  await button('Guardar y entrar').click()
  await expect(heading).toHaveText('Recupere su acceso')
  await expect(main).toContainText('Elija una contraseña nueva: la anterior dejará de servir.')
  await expect(main).not.toContainText('Active su cuenta')
  await choose(GOOD)
  await button('Recuperar acceso').click()
  await expect(page).not.toHaveURL(/activate/)
  await page.context().clearCookies()
  await page.goto('/login')
  await signIn(page, { email: forgetful.email, password: GOOD })
  await expect(page).toHaveURL('/dashboard')
})
