import { describe, expect, test } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import type { OfficeId, Sha256 } from '#server/domain/ids.ts'
import type { PagePart, PdfWork } from '#server/ports/pdf-work.ts'
import { drawCached, isDrawn, nameOfPicture } from '#server/steps/documents/draw-cached.ts'
import type { System } from '#server/system.ts'

const VERSION = { officeId: 'one' as OfficeId, sha256: 'aa'.repeat(32) as Sha256 }
const OTHER_OFFICE = { ...VERSION, officeId: 'other' as OfficeId }
const PAGE: PagePart = { page: 1, width: 900 }

/** Draws when the test says so. */
function aDesk() {
  const waiting: PromiseWithResolvers<Uint8Array>[] = []
  const picture = () => {
    const drawing = Promise.withResolvers<Uint8Array>()
    waiting.push(drawing)
    return drawing.promise
  }
  const withFile = (_: unknown, use: (file: unknown) => unknown) => use({})
  const system = { blobs: { withFile }, memory: createMemory() } as unknown as System
  const draw = (version = VERSION, part = PAGE) =>
    drawCached(system, { picture } as unknown as PdfWork, version, part)
  return { system, draw, waiting }
}

describe('picture of a page', () => {
  test('is there without drawing as soon as it is being drawn', async () => {
    const { system, draw, waiting } = aDesk()
    expect(isDrawn(system, VERSION, PAGE)).toBe(false)
    const first = draw()
    expect(isDrawn(system, VERSION, PAGE)).toBe(true)
    const second = draw()
    waiting[0]?.resolve(Uint8Array.of(7))
    expect(await Promise.all([first, second])).toEqual([Uint8Array.of(7), Uint8Array.of(7)])
    expect(isDrawn(system, VERSION, PAGE)).toBe(true)
    expect(await draw()).toEqual(Uint8Array.of(7))
    expect(waiting).toHaveLength(1)
  })

  test('is drawn again after drawing failed', async () => {
    const { system, draw, waiting } = aDesk()
    const first = draw()
    waiting[0]?.reject(new Error('the worker is gone'))
    await expect(first).rejects.toThrow('the worker is gone')
    expect(isDrawn(system, VERSION, PAGE)).toBe(false)
    const second = draw()
    waiting[1]?.resolve(Uint8Array.of(8))
    expect(await second).toEqual(Uint8Array.of(8))
  })

  test('of one office is not given to another that has the same file', async () => {
    const { system, draw, waiting } = aDesk()
    const first = draw()
    waiting[0]?.resolve(Uint8Array.of(7))
    await first
    expect(isDrawn(system, OTHER_OFFICE, PAGE)).toBe(false)
    void draw(OTHER_OFFICE)
    expect(waiting).toHaveLength(2)
  })
})

describe('name of a picture', () => {
  const region = { parts: 2, row: 0, column: 1 } as const

  test('is another for each page, size, part and turn', () => {
    const parts: PagePart[] = [
      ...[PAGE, { ...PAGE, page: 2 }, { ...PAGE, width: 450 }, { ...PAGE, rotate: 90 as const }],
      ...[
        { ...PAGE, region },
        { ...PAGE, region: { ...region, row: 1 } },
      ],
      { ...PAGE, region: { ...region, column: 0 } },
      { ...PAGE, region: { ...region, parts: 4 } },
    ]
    expect(new Set(parts.map((part) => nameOfPicture(VERSION, part))).size).toBe(parts.length)
  })

  test('is the same for a page that is not turned and one turned by nothing', () => {
    const straight = nameOfPicture(VERSION, { ...PAGE, rotate: 0 })
    expect(nameOfPicture(VERSION, PAGE)).toBe(straight)
  })
})
