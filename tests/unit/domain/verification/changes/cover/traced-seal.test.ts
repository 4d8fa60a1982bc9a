import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { signatureCover } from '#server/domain/verification/changes/cover/signature-cover.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import {
  appendTable,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { printedScan } from '#tests/support/pdf/printed-scan.ts'

/* Seals that a program traced from a picture: very many small curves, in the look of a signature over a scanned page. */

const SIDE = 120
const BODIES = bodiesWithPages(1, '/AcroForm 8 0 R')
const read = (file: Uint8Array) => readDocument(memorySource(file))
const signed = pdfWithTable({
  ...BODIES,
  8: '<</Fields[]>>',
  10: BODIES[10]!.replace('/Font<<', '/XObject<</Im 18 0 R>>/Font<<'),
  11: streamBody('q 300 0 0 300 0 0 cm /Im Do Q'),
  18: printedScan(),
})

/** What the look does to the scanned page, and the processor time that the answer takes. */
async function judged(content: string) {
  const look = '/Type/XObject/Subtype/Form/BBox'
  const changed = appendTable(signed, {
    8: '<</Fields[50 0 R]>>',
    10: BODIES[10]!
      .replace('/Font<<', '/XObject<</Im 18 0 R>>/Font<<')
      .replace('/Contents', '/Annots[50 0 R]/Contents'),
    50: `<</FT/Sig/T(Otro)/Type/Annot/Subtype/Widget/Rect[90 90 ${90 + SIDE} ${90 + SIDE}]/F 4/P 10 0 R/V 51 0 R/AP<</N 52 0 R>>>>`,
    51: '<</Type/Sig/SubFilter/X/ByteRange[0 1 2 3]/Contents <30>>>',
    52: streamBody(content, `${look}[0 0 ${SIDE} ${SIDE}]`),
  })
  const comparison = compareDocuments(read(signed), read(changed))
  let cover: ReturnType<typeof signatureCover> | undefined
  const time = await cpuTimeOf(() => {
    cover = signatureCover(comparison, [50])
  })
  return { content: cover?.content, time }
}

const written = (...numbers: readonly number[]) => numbers.map((one) => one.toFixed(4)).join(' ')

/** Four curves. */
function fleck(x: number, y: number, radius: number): string {
  const [r, k] = [radius, radius * 0.5523]
  return [
    `${written(x + r, y)} m`,
    `${written(x + r, y + k, x + k, y + r, x, y + r)} c`,
    `${written(x - k, y + r, x - r, y + k, x - r, y)} c`,
    `${written(x - r, y - k, x - k, y - r, x, y - r)} c`,
    `${written(x + k, y - r, x + r, y - k, x + r, y)} c`,
  ].join(' ')
}

/** Numbers between -0.5 and 0.5 that look like chance, the same in each run. */
function chance(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
}

type Seal = { curves: number; black: (x: number, y: number) => number }

/** One area of flecks, none of which is exactly in its row. @param seal `black`: which part of a place they cover */
function sealOf({ curves, black }: Seal): string {
  const across = Math.round(Math.sqrt(curves / 4))
  const step = SIDE / across
  const next = chance()
  const flecks = Array.from({ length: across ** 2 }, (_, at) => {
    const [x, y] = [((at % across) + 0.5) * step, (Math.floor(at / across) + 0.5) * step]
    const radius = step * Math.sqrt(black(x, y) / Math.PI)
    return fleck(x + next() * 0.1 * step, y + next() * 0.1 * step, radius)
  })
  return `0 0 0.5 rg ${flecks.join(' ')} f`
}

const isAmount = (x: number, y: number) => x > 30 && x < 80 && y > 50 && y < 62

test.each([20_000, 60_000])(
  'traced seal: leaves a scanned page legible with %d small curves',
  async (curves) => {
    const { content } = await judged(sealOf({ curves, black: () => 0.35 }))
    expect(content).toBe('above')
  },
)

test('traced seal: takes time in proportion to its curves', async () => {
  const timeOf = async (curves: number) =>
    (await judged(sealOf({ curves, black: () => 0.35 }))).time
  await timeOf(15_000) // Compiles the code.
  expect((await timeOf(60_000)) / (await timeOf(15_000))).toBeLessThan(10)
})

test.each([
  ['everywhere', () => 0.75],
  ['over an amount', (x: number, y: number) => (isAmount(x, y) ? 0.75 : 0.2)],
] as const)('traced seal: leaves a doubt when its small curves are dense %s', async (_, black) => {
  const { content } = await judged(sealOf({ curves: 60_000, black }))
  expect(content).toBe('doubtful')
})

test('traced seal: leaves a doubt when its flecks are as small as dust', async () => {
  const flecks = Array.from({ length: 10_000 }, (_, at) =>
    fleck(30 + (at % 200) * 0.2, 50 + Math.floor(at / 200) * 0.2, 0.096),
  )
  expect((await judged(`0 g ${flecks.join(' ')} f`)).content).toBe('doubtful')
})

test('traced seal: leaves a doubt when dust is white in a dark area', async () => {
  const flecks = Array.from({ length: 10_000 }, (_, at) =>
    fleck(30 + (at % 200) * 0.2, 50 + Math.floor(at / 200) * 0.2, 0.06),
  )
  const area = '30 50 m 30 60 l 70 60 l 70 50 l h'
  expect((await judged(`0 g ${area} ${flecks.join(' ')} f`)).content).toBe('doubtful')
})

/** Two bars between each level at which strips are cut and the next one; neither reaches a level. */
test('traced seal: leaves a doubt when bars and their gaps are thinner than hairs', async () => {
  const bars = Array.from({ length: 12_000 }, (_, at) => {
    const [x, pair] = [30 + (at % 30) * 1.5, Math.floor(at / 60)]
    const y = 50 + pair / 16 + (at % 60 < 30 ? 0.001 : 0.033)
    return `${written(x, y, 1.45, 0.029)} re`
  })
  const content = `0 g ${bars.join(' ')} 5 5 m 5 9 9 9 9 5 c f`
  expect((await judged(content)).content).toBe('doubtful')
})
