import { test } from '#tests/e2e/support/colleague.ts'
import { expect, inMain, messageOn } from '#tests/e2e/support/fixtures.ts'
import { send } from '#tests/e2e/support/http.ts'

test('calendar: its address is shown once, answers with an iCalendar file and ends when revoked', async ({
  page,
  colleague,
  hasScripts,
}) => {
  const { field, button } = inMain(page)
  await page.goto('/login?returnUrl=%2Fdashboard%2Fprofile%2Fcalendar')
  await field('Correo electrónico').fill(colleague.email)
  await field('Contraseña').fill(colleague.password)
  await button('Iniciar Sesión').click()
  await expect(page.getByText('Su calendario no tiene dirección.')).toBeVisible()
  await button('Crear dirección').click()
  const address = await page.locator('code').innerText()
  expect(address).toMatch(/\/calendar\/[\w-]{43}\.ics$/)

  const { status, headers, text } = await send(address, {})
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(headers['cache-control']).toBe('no-store')
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2.0\r\n/)

  await page.reload()
  await expect(page.locator('code')).toHaveCount(0)
  await expect(page.getByText(/último uso/)).toBeVisible()
  await button('Revocar dirección').click()
  await expect(messageOn(page, hasScripts)).toHaveText('La dirección del calendario ya no sirve.')
  const after = await send(address, {})
  const wrong = await send(address.replace(/.{5}\.ics$/, 'AAAAA.ics'), {})
  expect([after.status, after.text]).toEqual([404, wrong.text])
})
