import { randomUUID } from 'node:crypto'
import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('new session: an act proposes its signers, several are added at once, and nothing typed is lost', async ({
  page,
  person,
  signedInAs,
  uploadedDeed,
}) => {
  test.slow()
  const { main, field, button } = inMain(page)
  const deed = await uploadedDeed()
  const notary = person('titular')
  await signedInAs('CLERK')
  await page.goto(`/dashboard/signing/new?document=${deed.id}`)
  const signers = main.getByRole('group', { name: /^Firmante \d/ })
  const signer = (number: number) =>
    main.getByRole('group', { name: new RegExp(`^Firmante ${number} `) })
  const title = `Compraventa ${randomUUID().slice(0, 8)}`
  await field('Título').fill(title)

  await field('Acto (opcional)').selectOption({ label: 'Compraventa' })
  await button('Proponer a los firmantes del acto').click()
  await expect(signers).toHaveCount(3)
  await expect(signer(1).getByLabel('Carácter declarado')).toHaveValue('Parte vendedora')
  await expect(signer(2).getByLabel('Firma a la vez que el anterior')).toBeChecked()
  await expect(main).toContainText('No sustituye la firma en el protocolo')
  await expect(main).toContainText('Cónyuge de la parte vendedora (hasta 10)')

  await signer(1).getByLabel('Nombre completo').fill('Benito Núñez Peña')
  await signer(1).getByLabel('RFC').fill('nupb801201qx7')
  await signer(1).getByLabel('Carácter declarado').fill('Vendedor')
  await button('Agregar persona externa').click()
  await expect(signers).toHaveCount(4)
  await expect(signer(1).getByLabel('RFC')).toHaveValue('nupb801201qx7')
  await signer(4).getByLabel('Nombre completo').fill('Marta Ibarra Ríos')
  await signer(4).getByLabel('RFC').fill('IARM700404QX2')

  // Another act keeps what was typed; what the first one proposed goes.
  await field('Acto (opcional)').selectOption({ label: 'Poder' })
  await button('Proponer a los firmantes del acto').click()
  await expect(main).toContainText('Poder: Poderdante (1 a 20)')
  await expect(main.getByLabel('Nombre completo').first()).toHaveValue('Benito Núñez Peña')
  await field('Acto (opcional)').selectOption({ label: 'Compraventa' })
  await button('Proponer a los firmantes del acto').click()
  await expect(main).toContainText('Cónyuge de la parte vendedora (hasta 10)')
  await expect(main.getByLabel('Nombre completo').first()).toHaveValue('Benito Núñez Peña')
  await expect(main.getByLabel('Carácter declarado', { exact: true }).first()).toHaveValue(
    'Vendedor',
  )
  await button('Crear sesión').click()
  await expect(main).toContainText('Elija a una persona de la notaría, o quite a este firmante.')
  await expect(main).toContainText('Escriba en qué carácter firma')
  await expect(main).toContainText('Escriba el nombre completo')
  const people = await signers.count()
  for (let number = 1; number <= people; number += 1) {
    const row = signer(number)
    const name = row.getByLabel('Nombre completo')
    if ((await name.count()) === 0)
      await row.getByLabel('Persona').selectOption({
        label: `${notary.firstName} ${notary.lastName}`,
      })
    else if ((await name.inputValue()) === '') {
      await name.fill('Clara Peña Solís')
      await row.getByLabel('RFC').fill('PESC850101QX8')
    } else if ((await name.inputValue()) === 'Marta Ibarra Ríos')
      await row.getByLabel('Carácter declarado').fill('Testigo')
  }
  await button('Crear sesión').click()
  await expect(page).toHaveURL(/\/review$/)
  await expect(main).toContainText('No sustituye la firma en el protocolo')
  for (const text of ['Benito Núñez Peña', 'Clara Peña Solís', 'Marta Ibarra Ríos', title])
    await expect(main).toContainText(text)
  await expect(main.getByRole('table').first().getByRole('row')).toHaveCount(5)
})

test('new session: parties of the catalogue fill rows, and rows are moved and removed', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  test.slow()
  const { main, field, button } = inMain(page)
  const deed = await uploadedDeed()
  const tag = randomUUID()
    .replace(/[^a-f]/g, '')
    .slice(0, 8)
  // Used by this test only: the catalogue has one party for an RFC.
  const letters = tag.padEnd(4, 'x').slice(0, 4).toUpperCase()
  const rfcs = [`${letters}801201QX7`, `${letters}700404QX2`]
  await signedInAs('CLERK')
  const names = rfcs.map((_, index) => `Persona${index} ${tag}`)
  await page.goto(`/dashboard/signing/new?document=${deed.id}`)
  const signer = (number: number) =>
    main.getByRole('group', { name: new RegExp(`^Firmante ${number} `) })
  await field('Título').fill('Primera')
  for (const [index, name] of names.entries()) {
    await button('Agregar persona externa').click()
    await signer(index + 1)
      .getByLabel('Nombre completo')
      .fill(name)
    await signer(index + 1)
      .getByLabel('RFC')
      .fill(rfcs[index] ?? '')
    await signer(index + 1)
      .getByLabel('Carácter declarado')
      .fill('Ratificante')
  }
  await button('Crear sesión').click()
  await expect(page).toHaveURL(/\/review$/)

  await page.goto(`/dashboard/signing/new?document=${deed.id}`)
  await field('Título').fill('Segunda')
  await button('Agregar persona externa').click()
  await signer(1).getByLabel('Carácter declarado').fill('Ratificante')
  await field('Buscar por nombre o RFC').fill(tag)
  await button('Buscar en el catálogo').click()
  for (const name of names) await main.getByRole('checkbox', { name, exact: true }).check()
  await button('Agregar las marcadas').click()
  await expect(main.getByRole('group', { name: /^Firmante \d/ })).toHaveCount(2)
  const first = await signer(1).getByLabel('Nombre completo').inputValue()
  await button('Bajar firmante 1').click()
  await expect(signer(2).getByLabel('Nombre completo')).toHaveValue(first)
  await button('Quitar firmante 1').click()
  await expect(main.getByRole('group', { name: /^Firmante \d/ })).toHaveCount(1)
  await expect(signer(1).getByLabel('Nombre completo')).toHaveValue(first)
  await expect(field('Título')).toHaveValue('Segunda')
})

test('new session: the name of a chosen colleague is not cut, and the buttons below have one width', async ({
  page,
  person,
  signedInAs,
}) => {
  const { field, button } = inMain(page)
  const { firstName, lastName } = person('titular')
  await signedInAs('CLERK')
  await page.goto('/dashboard/signing/new')
  await button('Agregar persona de la notaría').click()
  await field('Persona').selectOption({ label: `${firstName} ${lastName}` })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const missing = await field('Persona').evaluate((select: HTMLSelectElement) => {
      const alone = select.cloneNode() as HTMLSelectElement
      alone.append(new Option(select.selectedOptions[0]?.text))
      alone.style.width = 'max-content'
      select.after(alone)
      const wanted = alone.offsetWidth
      alone.remove()
      return Math.max(0, wanted - select.offsetWidth)
    })
    expect(missing, `${width} px`).toBe(0)
    const widths = await Promise.all(
      ['Agregar persona externa', 'Agregar persona de la notaría'].map(
        async (name) => (await button(name).boundingBox())?.width,
      ),
    )
    expect(widths[0], `${width} px`).toBe(widths[1])
  }
})
