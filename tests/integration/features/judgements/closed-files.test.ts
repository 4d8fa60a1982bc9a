import { expect, test } from 'vitest'
import { Problem } from '#server/domain/problem.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { aScene, onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const certified = async () =>
  handSigned({
    seal: sealOf(await testEfirma()),
    entries: '/Reference[<</TransformMethod/DocMDP/TransformParams<</P 1>>>>]',
  })

const inspecting = (system: TestSystem, inspect: TestSystem['pdf']['inspect']): TestSystem => ({
  ...system,
  pdf: { ...system.pdf, inspect },
})

onEachSigningSystem('draft that arrived signed', (system) => {
  test('its file is inspected once, however often its page is opened', async () => {
    const { person, document } = await aScene(system(), { content: await certified() })
    let inspections = 0
    const counting = inspecting(system(), (...asked) => {
      inspections += 1
      return system().pdf.inspect(...asked)
    })
    const open = () => readDocument(counting, person, { documentId: document.id })
    const pages = await Promise.all([open(), open(), open()])
    pages.push(await open())
    for (const page of pages) expect(page.isClosedByFile).toBe(true)
    expect(inspections).toBe(1)
  })

  test('its file is inspected again after the workers were busy', async () => {
    const { person, document } = await aScene(system(), { content: await certified() })
    const input = { documentId: document.id }
    const busy = inspecting(system(), () =>
      Promise.reject(new Problem('too-many-attempts', 'the workers are busy')),
    )
    expect(await readDocument(busy, person, input)).toMatchObject({ isClosedByFile: false })
    expect(await readDocument(system(), person, input)).toMatchObject({ isClosedByFile: true })
  })
})
