import { expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { signatureCover } from '#server/domain/verification/changes/cover/signature-cover.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import {
  appendTable,
  type Bodies,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'

const BODIES = bodiesWithPages(1, '/AcroForm 8 0 R')
const signed = pdfWithTable({ ...BODIES, 8: '<</Fields[]>>' })
/** A later signature that the list of annotations of its page names again and again. */
const named = (times: number): Bodies => ({
  8: '<</Fields[50 0 R]>>',
  10: BODIES[10]!.replace('/Contents', `/Annots[${'50 0 R '.repeat(times)}]/Contents`),
  50: '<</FT/Sig/T(Otro)/Type/Annot/Subtype/Widget/Rect[0 0 300 300]/F 4/P 10 0 R/V 51 0 R/AP<</N 52 0 R>>>>',
  51: '<</Type/Sig/SubFilter/X/ByteRange[0 1 2 3]/Contents <30>>>',
  52: streamBody('1 g 0 0 300 300 re f', '/Type/XObject/Subtype/Form/BBox[0 0 300 300]'),
})

const read = (file: Uint8Array) => readDocument(memorySource(file))

test('cover of a signature: a list of annotations costs as much as it is long', async () => {
  const comparison = compareDocuments(read(signed), read(appendTable(signed, named(60_000))))
  let cover: ReturnType<typeof signatureCover> | undefined
  const time = await cpuTimeOf(() => {
    cover = signatureCover(comparison, [50])
  })
  expect(cover).toEqual({ page: 1, content: 'hidden' })
  expect(time).toBeLessThan(1500)
})

/** A fill of many curves, each of which is as high as the look. */
const tall = Array.from({ length: 19_900 }, (_, at) =>
  at % 2 === 0 ? '0 90 0 300 9 400 c' : '9 300 9 90 0 0 c',
).join(' ')

test('cover of a signature: a fill of many tall curves costs as much as it has curves', async () => {
  const look = streamBody(`0 0 m ${tall} f`, '/Type/XObject/Subtype/Form/BBox[0 0 300 400]')
  const widget = named(1)[50]!.replace('300 300]', '300 400]')
  const bodies: Bodies = { ...named(1), 50: widget, 52: look }
  const comparison = compareDocuments(read(signed), read(appendTable(signed, bodies)))
  const time = await cpuTimeOf(() => signatureCover(comparison, [50]))
  expect(time).toBeLessThan(1500)
})

/** A look with round forms, each as large as the look. */
function withDiscs(count: number, width: number) {
  const box = `[0 0 ${width} 400]`
  const disc = `0 200 m 0 400 ${width} 400 ${width} 200 c ${width} 0 0 0 0 200 c f `
  const look = streamBody(disc.repeat(count), `/Type/XObject/Subtype/Form/BBox${box}`)
  const widget = named(1)[50]!.replace('[0 0 300 300]', box)
  const bodies: Bodies = { ...named(1), 50: widget, 52: look }
  return compareDocuments(read(signed), read(appendTable(signed, bodies)))
}

test('cover of a signature: the strips of emblems are paid for, and few are made of wide ones', () => {
  const spentOn = (count: number, width: number) => {
    const comparison = withDiscs(count, width)
    const spend = vi.spyOn(comparison.after.meter, 'spend')
    signatureCover(comparison, [50])
    return spend.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0)
  }
  const [one, many] = [spentOn(1, 1600), spentOn(150, 1600)]
  expect(one).toBeGreaterThan(40_000)
  expect(one).toBeGreaterThan(10 * spentOn(1, 16))
  expect(many).toBeGreaterThan(5 * one)
  expect(many).toBeLessThan(15 * one)
})
