import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isArray } from '#server/domain/pdf/object.ts'
import {
  middleOf,
  type StampQuery,
  sixthOf,
  stampOutlook,
} from '#server/domain/signing/stamp/stamp-outlook.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import { handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { lines, STAMPED, STAMPING, stamped } from '#tests/support/pdf/stamped-pdfs.ts'
import { onDisk } from '#tests/unit/domain/pdf/variants.ts'
import { sheetFonts } from './sheet-fonts.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

/** One page in letter size with text from 78 to 300 points, unless it is changed. */
const arrived = (changes: { content?: string; page?: string; entries?: string } = {}) =>
  handSigned({
    seal: sealOf(efirma),
    entries: changes.entries ?? '',
    bodies: STAMPED.bodies({ content: lines(78, 300), ...changes }),
  })

const STAMP = STAMPING.stamp!
const outlookOn = (file: Uint8Array, query: Partial<StampQuery> = {}) =>
  stampOutlook(memorySource(file), { stamp: STAMP, ...query }, sheetFonts)

/** The /Rect of the last field: left, bottom, right, top. */
function lastRectangle(file: Uint8Array): number[] {
  const document = readDocument(memorySource(file))
  const widget = formFields(document).at(-1)?.widgets[0]
  const rectangle = document.resolve(entriesOf(document.resolve(widget)).get('Rect'))
  return isArray(rectangle) ? rectangle.items.map(Number) : []
}

async function mustBeGood(file: Uint8Array, signatures: number) {
  const report = await verified(file)
  expect(report.verdict).toBe('VALID')
  expect(report.signatures.map(({ indication }) => indication)).toEqual(
    Array.from({ length: signatures }, () => 'TOTAL_PASSED'),
  )
  const { output } = judge('pdfsig')('-nocert', onDisk(file))
  expect(output.match(/Signature is Valid/g)).toHaveLength(signatures)
}

describe('a stamp whose place was chosen', () => {
  test.each([
    ['the upper left corner', { x: 0, y: 0 }, [18, 698, 268, 774]],
    ['the upper right corner', { x: 1000, y: 0 }, [344, 698, 594, 774]],
    ['the lower left corner, in the margin', { x: 0, y: 1000 }, [18, 18, 248, 74]],
  ])('stands in %s; all signatures stay VALID', async (_, point, place) => {
    const plan = { ...STAMPING, stamp: { ...STAMP, choice: { page: 1, ...point } } }
    const file = await stamped(await arrived(), efirma, plan)
    expect(lastRectangle(file)).toEqual(place)
    await mustBeGood(file, 2)
  })

  test('stands in the nearest blank place if the chosen one is taken', async () => {
    const plan = { ...STAMPING, stamp: { ...STAMP, choice: { page: 1, x: 500, y: 800 } } }
    const file = await stamped(await arrived(), efirma, plan)
    const [, bottom = 0, , top = 0] = lastRectangle(file)
    expect([top - bottom, bottom]).toEqual([56, 26])
    await mustBeGood(file, 2)
  })

  test('is followed by those of other signers beside it', async () => {
    const plan = { ...STAMPING, stamp: { ...STAMP, choice: { page: 1, x: 0, y: 0 } } }
    let file = await arrived()
    const places: number[][] = []
    for (let count = 0; count < 3; count++) {
      file = await stamped(file, efirma, plan)
      places.push(lastRectangle(file))
    }
    expect(places[0]).toEqual([18, 698, 268, 774])
    expect(places.every(([, bottom = 0]) => bottom > 500)).toBe(true)
    expect(new Set(places.map(String)).size).toBe(3)
    await mustBeGood(file, 4)
  })

  test('is placed by the program if its page has no room, or is not there', async () => {
    const file = await arrived()
    const elsewhere = { ...STAMPING, stamp: { ...STAMP, choice: { page: 9, x: 0, y: 0 } } }
    expect(lastRectangle(await stamped(file, efirma, elsewhere))).toEqual(
      lastRectangle(await stamped(file, efirma)),
    )
  })
})

describe('outlook', () => {
  test('shows where the next signature will be visible', async () => {
    const file = await arrived()
    const { forecast } = outlookOn(file)
    expect(forecast).toEqual({
      kind: 'visible',
      place: {
        page: 1,
        left: expect.closeTo((1000 * 344) / 612),
        top: expect.closeTo((1000 * (792 - 390)) / 792),
        width: expect.closeTo((1000 * 250) / 612),
        height: expect.closeTo((1000 * 76) / 792),
      },
    })
  })

  test('offers the blank sixths of a page; the middle of each chooses exactly that place', async () => {
    const file = await arrived()
    const { page } = outlookOn(file, { page: 1 })
    expect(page?.size).toEqual({ width: 612, height: 792 })
    expect(page?.sixths.map((place) => place && sixthOf(middleOf(place)))).toEqual([
      ...[0, 1000].map((x) => ({ x, y: 0 })),
      ...[0, 1000].map((x) => ({ x, y: 500 })),
      ...[0, 1000].map((x) => ({ x, y: 1000 })),
    ])
    for (const place of page?.sixths ?? []) {
      if (!place) continue
      const choice = { page: 1, ...middleOf(place) }
      expect(outlookOn(file, { stamp: { ...STAMP, choice } }).forecast).toEqual({
        kind: 'visible',
        place,
      })
    }
  })

  test('offers no sixth that is taken, and finds the blank place nearest to a point', async () => {
    const file = await arrived({ content: lines(60, 500) })
    const { page } = outlookOn(file, { page: 1, pointed: { x: 500, y: 900 } })
    expect(page?.sixths.slice(4)).toEqual([null, null])
    expect(page?.sixths.slice(0, 2)).not.toContain(null)
    const { left = 0, top = 0, width = 0, height = 0 } = page?.pointed ?? {}
    expect(left + width / 2).toBeCloseTo(500, -1)
    // Just above the text, which ends 500 points above the lower edge.
    expect(top + height).toBeLessThan((1000 * (792 - 511)) / 792)
    expect(top + height).toBeGreaterThan(320)
  })

  test.each([
    ['certified', { entries: certifying(2) }],
    ['closed', { entries: certifying(1) }],
    ['no-place', { content: lines(5, 785) }],
    ['no-place', { page: '/Rotate 90' }],
  ])('says why no signature will be visible: %s', async (obstacle, changes) => {
    const outlook = outlookOn(await arrived(changes), { page: 1, pointed: { x: 1, y: 1 } })
    expect(outlook.forecast).toEqual({ kind: 'invisible', obstacle })
    expect(outlook.page?.sixths.every((place) => place === null) ?? true).toBe(true)
    expect(outlook.page?.pointed ?? null).toBeNull()
  })

  test('has no places of a page that is not there', async () => {
    expect(outlookOn(await arrived(), { page: 2 }).page).toBeUndefined()
  })

  test('ends in time on a page as large as a hall that is full', async () => {
    const full = '0 0 1 rg 0 0 900000 900000 re f'
    const bodies = {
      ...STAMPED.bodies({ content: full }),
      10: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 900000 900000]/Annots[20 0 R]/Contents 11 0 R>>',
    }
    const file = await handSigned({ seal: sealOf(efirma), bodies })
    const start = performance.now()
    expect(outlookOn(file, { page: 1, pointed: { x: 1, y: 1 } }).forecast.kind).toBe('invisible')
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

function certifying(level: number): string {
  return `/Reference[<</TransformMethod/DocMDP/TransformParams<</P ${level}>>>>]`
}
