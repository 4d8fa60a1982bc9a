import type { Page } from '@playwright/test'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

/** The pages that stand on the screen. */
const pagesOn = (page: Page) => page.getByRole('figure', { name: /^Página \d+ de \d+$/ })

test('reader: three pages at a time, and every step is a link', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(aPdf(8))
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}`)
  const { main, field, button, link } = inMain(page)
  const shown = () => pagesOn(page).evaluateAll((all) => all.map((one) => one.id))
  await expect.poll(shown).toEqual(['pagina-1', 'pagina-2', 'pagina-3'])
  await link('Siguiente').first().click()
  await expect.poll(shown).toEqual(['pagina-4', 'pagina-5', 'pagina-6'])
  await link('Anterior').first().click()
  await expect.poll(shown).toEqual(['pagina-1', 'pagina-2', 'pagina-3'])
  await field('Página').fill('8')
  await button('Ir').click()
  await expect.poll(shown).toEqual(['pagina-8'])
  await expect(link('Siguiente')).toHaveCount(0)
  await link('Ampliar').click()
  await expect(page).toHaveURL(/[?&]zoom=125/)
  // The address changes before the page does.
  await expect(link('Girar')).toHaveAttribute('href', /zoom=125/)
  await link('Girar').click()
  await expect(page).toHaveURL(/zoom=125&giro=90/)
  await expect.poll(shown).toEqual(['pagina-8'])
  await expect(link('Miniaturas de las páginas')).toHaveAttribute('href', /giro=90/)
  await link('Miniaturas de las páginas').click()
  const small = page.getByRole('navigation', { name: 'Miniaturas' })
  await expect(small.getByRole('img')).toHaveCount(8)
  await small.getByRole('link', { name: 'Página 2', exact: true }).click()
  await expect.poll(shown).toEqual(['pagina-2', 'pagina-3', 'pagina-4'])
  await link('Ocultarlas').click()
  await expect(small).toHaveCount(0)
  await field('Página').fill('8')
  await button('Ir').click()
  await expect.poll(shown).toEqual(['pagina-8'])
  await link('Pantalla completa').click()
  await expect(link('Salir de pantalla completa')).toBeVisible()
  await expect(main.getByRole('img', { name: 'Página 8 de 8' })).toBeVisible()
})

test('reader: the text of a page stands behind its picture, and by itself', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(aPdf(4))
  await signedInAs('CLERK')
  await page.goto(`/dashboard/documents/${deed.id}?pagina=2`)
  const { main, link } = inMain(page)
  const figure = page.getByRole('figure', { name: 'Página 2 de 4' })
  await expect(figure.getByText('Page 2', { exact: true })).toBeAttached()
  await expect(figure.getByRole('img', { name: 'Página 2 de 4' })).toBeVisible()
  await link('Leer como texto').click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Texto del documento')
  await expect(main.getByRole('heading', { level: 2 })).toHaveText([
    'Página 2',
    'Página 3',
    'Página 4',
  ])
  await expect(main).toContainText('puede no coincidir con lo que se ve')
  await link('Volver al documento').click()
  await expect(page).toHaveURL(`/dashboard/documents/${deed.id}`)
})

test('reader: a long deed loads the pictures of three pages, not of all', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  const deed = await uploadedDeed(aPdf(60))
  await signedInAs('titular')
  const pictures = new Set<string>()
  page.on('request', (request) => {
    const [, number] = /\/pages\/(\d+)\.png/.exec(request.url()) ?? []
    if (number) pictures.add(number)
  })
  await page.goto(`/dashboard/documents/${deed.id}/sign`)
  await page.waitForLoadState('networkidle')
  expect([...pictures].every((one) => Number(one) <= 3)).toBe(true)
  expect(pictures.has('1')).toBe(true)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('reader: only the window scrolls, and the way to the signature stays at the foot', async ({
    page,
    signedInAs,
    uploadedDeed,
  }) => {
    const deed = await uploadedDeed(aPdf(2))
    await signedInAs('titular')
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    const foot = page.getByRole('navigation', { name: 'Lector' })
    await expect(foot).toBeInViewport()
    await expect(foot).toContainText(/Páginas? 1/)
    const nested = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((one) => one.scrollHeight > one.clientHeight + 1)
        .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY))
        .map((one) => one.className),
    )
    expect(nested).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await foot.getByRole('link', { name: 'Firmar' }).click()
    await expect(page).toHaveURL(/#firmar$/)
    await expect(page.getByRole('heading', { name: deed.title, level: 2 })).toBeInViewport()
  })
  for (const [pages, rows] of [
    [33, 2],
    [2, 1],
  ] as const)
    test(`reader: the toolbar of ${pages} pages takes ${rows === 1 ? 'one row' : 'two rows'} of a phone`, async ({
      page,
      signedInAs,
      uploadedDeed,
    }) => {
      const deed = await uploadedDeed(aPdf(pages))
      await signedInAs('titular')
      await page.goto(`/dashboard/documents/${deed.id}/sign`)
      const { link } = inMain(page)
      await expect(link('Abrir el PDF')).toBeVisible()
      await expect(link('Leer como texto')).toBeVisible()
      if (pages > 3) await expect(link('Siguiente').first()).toBeVisible()
      for (const width of [390, 360]) {
        await page.setViewportSize({ width, height: 844 })
        const height = await link('Girar').evaluate((one) => {
          const toolbar = one.parentElement!.parentElement!
          return toolbar.clientHeight / one.clientHeight
        })
        expect(Math.floor(height), `${width} px`).toBe(rows)
      }
    })
})
