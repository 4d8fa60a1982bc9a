import { expect, test } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import { Problem } from '#server/domain/problem.ts'
import type { StampForecast } from '#server/domain/signing/stamp/stamp-outlook.ts'
import { foreseeStamp } from '#server/steps/signing/foresee-stamp.ts'
import type { System } from '#server/system.ts'
import { anOffice, aUser, MORNING } from '#tests/support/builders.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'

const AUTHOR = aUser(anOffice())
const FORECAST: StampForecast = { kind: 'invisible', obstacle: 'no-place' }

/** A system that notes the stamps for which it reads a file. */
function reading(outlook: () => Promise<{ forecast: StampForecast }>) {
  const stamps: unknown[] = []
  const system = {
    memory: createMemory(),
    settings: { publicOrigin: 'https://notaria.example' },
    blobs: { withFile: (_version: unknown, use: (file: unknown) => unknown) => use({}) },
    pdf: {
      stampOutlook: (_file: unknown, { stamp }: { stamp: unknown }) => {
        stamps.push(stamp)
        return outlook()
      },
    },
  } as unknown as Pick<System, 'blobs' | 'pdf' | 'memory' | 'settings'>
  return { system, stamps }
}

function aCurrent(changes: Parameters<typeof aDocument>[1] = {}, arrivedSigned = true) {
  const document = aDocument(AUTHOR, changes)
  return { document, version: aVersion(document), arrivedSigned }
}

test('stamp of a document with a signature sheet: none, and its file is not read', async () => {
  const { system, stamps } = reading(async () => ({ forecast: FORECAST }))
  expect(await foreseeStamp(system, aCurrent({}, false))).toBeUndefined()
  expect(stamps).toEqual([])
})

test('stamp of a document that arrived signed: its file is read once for what is wanted', async () => {
  const { system, stamps } = reading(async () => ({ forecast: FORECAST }))
  const current = aCurrent()
  const chosen = { page: 1, x: 500, y: 500 }
  const off = { state: 'off', since: MORNING, by: null } as const
  const { document } = current
  const wanted = [
    document,
    { ...document, stampChoice: chosen },
    { ...document, stampChoice: { ...chosen, page: 2 } },
    { ...document, publicLookup: off },
  ]
  for (const one of [...wanted, ...wanted])
    expect(await foreseeStamp(system, { ...current, document: one })).toEqual(FORECAST)
  expect(stamps).toHaveLength(wanted.length)
  expect(stamps).toMatchObject([
    { folio: document.folio },
    { choice: chosen },
    { choice: { page: 2 } },
    { publicAddress: null },
  ])
})

test('stamp of a file that cannot be read: none, and it is read again the next time', async () => {
  let reads = 0
  const { system } = reading(async () => {
    reads += 1
    if (reads === 1) throw new Problem('pdf-too-complex', 'out of time')
    return { forecast: FORECAST }
  })
  const current = aCurrent()
  expect(await foreseeStamp(system, current)).toBeUndefined()
  expect(await foreseeStamp(system, current)).toEqual(FORECAST)
})

test('stamp: a fault of ours is not hidden', async () => {
  const { system } = reading(() => Promise.reject(new Error('a bug')))
  await expect(foreseeStamp(system, aCurrent())).rejects.toThrow('a bug')
})
