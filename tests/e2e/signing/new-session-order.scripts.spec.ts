import { expect, inMain, test } from '#tests/e2e/support/fixtures.ts'

test('new session: documents and signers are put in order by dragging and with the arrow keys', async ({
  page,
  signedInAs,
  uploadedDeed,
}) => {
  test.slow()
  const { main, field, button } = inMain(page)
  const deeds = [await uploadedDeed(), await uploadedDeed(), await uploadedDeed()]
  await signedInAs('CLERK')
  const query = deeds.map(({ id }) => `document=${id}`).join('&')
  await page.goto(`/dashboard/signing/new?${query}`)
  const chosen = main.getByRole('group', { name: /^Documentos elegidos/ })
  const values = () =>
    chosen
      .getByRole('checkbox')
      .evaluateAll((boxes: HTMLInputElement[]) => boxes.map((box) => box.value))
  const [a, b, c] = deeds.map(({ id }) => id)
  const handles = chosen.getByRole('button', { name: /^Mover / })
  await expect(handles).toHaveCount(3)
  expect(await values()).toEqual([a, b, c])

  await handles.first().scrollIntoViewIfNeeded()
  const from = await handles.first().boundingBox()
  const to = await chosen.locator('[data-item]').last().boundingBox()
  if (!from || !to) throw new Error('no handles')
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, to.y + to.height - 4, { steps: 10 })
  await page.mouse.up()
  await expect.poll(values).toEqual([b, c, a])

  await handles.last().press('ArrowUp')
  await expect.poll(values).toEqual([b, a, c])
  await expect(handles.nth(1)).toBeFocused()
  await chosen.getByRole('checkbox').first().uncheck()

  const signer = (number: number) =>
    main.getByRole('group', { name: new RegExp(`^Firmante ${number} `) })
  for (const name of ['Ana Uno', 'Beto Dos']) {
    await button('Agregar persona externa').click()
    const number = name === 'Ana Uno' ? 1 : 2
    await signer(number).getByLabel('Nombre completo').fill(name)
  }
  // The order of the form is the order on the screen.
  await expect(chosen.getByRole('checkbox')).toHaveCount(2)
  expect(await values()).toEqual([a, c])
  await signer(2)
    .getByRole('button', { name: /^Mover firmante 2/ })
    .press('ArrowUp')
  await expect(signer(1).getByLabel('Nombre completo')).toHaveValue('Beto Dos')
  await field('Título').fill('En orden')
  await button('Agregar persona de la notaría').click()
  await expect(signer(1).getByLabel('Nombre completo')).toHaveValue('Beto Dos')
  await expect(signer(2).getByLabel('Nombre completo')).toHaveValue('Ana Uno')
})
