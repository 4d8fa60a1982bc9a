import { test as base, expect, inMain } from '#tests/e2e/support/fixtures.ts'
import { codeOf, secretOn } from '#tests/e2e/support/newcomers.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'

/* Each test has its own server without an office, and the set-up link that it printed. */
const test = base.extend<{ empty: { origin: string; link: string } }>({
  empty: async ({}, use) => {
    const port = await freePort()
    const server = await startServer('start', { PORT: String(port) })
    const link = /http\S+#\S+/.exec(server.said())?.[0] ?? ''
    await use({ origin: `http://localhost:${port}`, link })
    await server.stop()
  },
  baseURL: async ({ empty }, use) => {
    await use(empty.origin)
  },
})

const GOOD = 'caballo grapa lluvia 47 tinta'

test('installation: the first administrator creates the office and sets up the second factor', async ({
  page,
  empty,
  hasScripts,
}) => {
  test.setTimeout(120_000)
  const { field, button, link, main } = inMain(page)
  await page.goto(empty.link)
  await expect(page).toHaveURL(/\/activate\/installation/)
  if (hasScripts) await expect(page).not.toHaveURL(/#/)
  else await field('Código de activación').fill(empty.link.split('#')[1] ?? '')
  await button('Crear notaría').click()
  await expect(field('Número')).toHaveAccessibleDescription(/Escriba el número de la notaría/)
  await expect(field('RFC')).toHaveAccessibleDescription(/Escriba su RFC completo/)

  const typed = {
    Nombre: 'Notaría 7 de Puebla',
    Número: '7',
    'Municipio o alcaldía': 'Puebla',
    Domicilio: 'Av. Juárez 100, 72000 Puebla',
    Nombres: 'Ángela',
    Apellidos: 'Ruiz Peña',
    'Correo electrónico': 'angela@notaria7.example',
    RFC: 'RUPA800101AB1',
  }
  for (const [label, value] of Object.entries(typed)) await field(label).fill(value)
  await field('Entidad federativa').selectOption('Puebla')
  await field('Contraseña nueva').fill('notaria 7 de puebla')
  await field('Confirmar contraseña nueva').fill('notaria 7 de puebla')
  await button('Crear notaría').click()
  await expect(field('Contraseña nueva')).toHaveAccessibleDescription(/palabras de la notaría/)
  for (const [label, value] of Object.entries(typed)) await expect(field(label)).toHaveValue(value)
  await expect(field('Entidad federativa')).toHaveValue('Puebla')

  await field('Contraseña nueva').fill(GOOD)
  await field('Confirmar contraseña nueva').fill(GOOD)
  await button('Crear notaría').click()
  await expect(page).toHaveURL(/\/setup-mfa\?returnUrl=%2Fdashboard#contenido$/)
  await expect(main).toContainText('Su notaría exige este paso')
  await expect(link('Ahora no')).toHaveCount(0)
  await page.goto('/dashboard/users')
  await expect(page).toHaveURL('/setup-mfa?returnUrl=%2Fdashboard%2Fusers')
  await main.getByRole('button', { name: /^Aplicación/ }).click()
  await field('Código de verificación').fill(codeOf(await secretOn(page)))
  await button('Activar').click()
  await expect(main.getByRole('listitem')).toHaveCount(10)
  await button('Continuar').click()
  await expect(page).toHaveURL('/dashboard/users')
  await expect(page.getByRole('banner')).toContainText('Ángela Ruiz Peña')

  await page.goto('/activate/installation')
  await expect(page).toHaveURL('/activate')
})
