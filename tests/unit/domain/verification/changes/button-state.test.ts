import { expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import { showsItsState } from '#server/domain/verification/changes/button-state.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { widgetPlaces } from '#server/domain/verification/changes/widget-places.ts'
import {
  appendTable,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'

/* What it costs to judge a box that was ticked: a stranger draws its looks. */

const look = (content: string) =>
  streamBody(content, '/Type/XObject/Subtype/Form/BBox[0 0 20 20]/Resources<<>>')
const TICK = '1 w 2 2 m 15 15 l S'

/** A box that is ticked, in the document that was signed and since then. */
function ticked(empty: string, tick: string) {
  const plain = bodiesWithPages(1, '/AcroForm 8 0 R')
  const box = (state: string) =>
    `<</FT/Btn/T(Acepta)/V/${state}/AS/${state}/Type/Annot/Subtype/Widget/Rect[0 0 20 20]/F 4/P 10 0 R/AP<</N<</Si 15 0 R/Off 16 0 R>>>>>>`
  const signed = pdfWithTable({
    ...plain,
    5: box('Off'),
    8: '<</Fields[5 0 R]>>',
    10: plain[10]!.replace('/Contents', '/Annots[5 0 R]/Contents'),
    15: look(''),
    16: look(empty),
  })
  const [before, after] = [signed, appendTable(signed, { 5: box('Si'), 15: look(tick) })].map(
    (file) => readDocument(memorySource(file)),
  )
  const comparison = compareDocuments(before!, after!)
  const judge = () => {
    const [field] = formFields(after!)
    return showsItsState(comparison, field!, widgetPlaces(before!))
  }
  return { comparison, judge }
}

function spentOn(empty: string, tick: string): number {
  const { comparison, judge } = ticked(empty, tick)
  const spend = vi.spyOn(comparison, 'spend')
  judge()
  return spend.mock.calls.reduce((sum, [steps]) => sum + steps, 0)
}

/** Lines that go to and fro, each path as a mark of its own. */
const paths = (count: number, lines: number) =>
  `1 w ${`1 1 m ${'2 2 l 1 1 l '.repeat(lines / 2)}S `.repeat(count)}`
/** An area as thin as a hair around which a path goes often. */
const hair = (times: number) => `2 2 m ${'9 2 l 9 2.001 l 2 2.001 l 2 2 l '.repeat(times)}f`

test('a ticked box: shows its state, and costs little', () => {
  const { judge } = ticked('', TICK)
  expect(judge()).toBe(true)
  expect(spentOn('', TICK)).toBeLessThan(40)
})

test('a ticked box: costs as much as its looks have lines', () => {
  expect(spentOn('', paths(1, 19_000))).toBeGreaterThan(3000)
  expect(spentOn(paths(1, 19_000), TICK)).toBeGreaterThan(3000)
})

test('a ticked box: costs as much as marks are compared with marks', () => {
  const [few, many] = [paths(5, 100), paths(50, 100)]
  expect(spentOn(many, many + TICK)).toBeGreaterThan(10 * spentOn(few, few + TICK))
})

test('a ticked box: costs as much as edges go through the levels of an area', () => {
  const lines = paths(1, 60)
  expect(spentOn('', hair(15))).toBeGreaterThan(spentOn('', lines))
})

test('a ticked box: is refused where the looks of all boxes cost too much', () => {
  const all = paths(190, 100)
  const { judge } = ticked(all, all + TICK)
  const judgeMany = () => {
    for (let times = 0; times < 50; times++) judge()
  }
  expect(judgeMany).toThrow(expect.objectContaining({ code: 'too-complex' }))
})

type Box = { state: string; looks?: string; entries?: string; empty?: string; tick?: string }

/** Whether a box that is as it was signed, and then as it is now, shows its state. */
function showsState(was: Box, now: Partial<Box>): boolean {
  const plain = bodiesWithPages(1, '/AcroForm 8 0 R')
  const bodiesOf = ({ state, looks = '/Si 15 0 R/Off 16 0 R', entries = '', ...one }: Box) => ({
    5: `<</FT/Btn/T(Acepta)/V/${state}/AS/${state}/Subtype/Widget${entries || '/Rect[0 0 20 20]/F 4'}/AP<</N<<${looks}>>>>>>`,
    15: look(one.tick ?? TICK),
    16: look(one.empty ?? ''),
  })
  const signed = pdfWithTable({
    ...plain,
    ...bodiesOf(was),
    8: '<</Fields[5 0 R]>>',
    10: plain[10]!.replace('/Contents', '/Annots[5 0 R]/Contents'),
  })
  const [before, after] = [signed, appendTable(signed, bodiesOf({ ...was, ...now }))].map((file) =>
    readDocument(memorySource(file)),
  )
  const [field] = formFields(after!)
  return showsItsState(compareDocuments(before!, after!), field!, widgetPlaces(before!))
}

const OFF: Box = { state: 'Off' }
const ON: Box = { state: 'Si' }

test.each<[string, Box, Partial<Box>, boolean]>([
  ['is ticked', OFF, ON, true],
  ['is cleared', ON, OFF, true],
  ['is cleared, and drawn anew without a sign', ON, { ...OFF, empty: 'q Q' }, true],
  ['is cleared, and drawn anew with a sign', ON, { ...OFF, empty: TICK }, false],
  ['is ticked without a sign', { ...OFF, tick: '' }, { ...ON, tick: 'q Q' }, false],
  ['loses the look of being cleared', OFF, { ...ON, looks: '/Si 15 0 R' }, false],
  ['loses the look of being ticked', ON, { ...OFF, looks: '/Off 16 0 R' }, false],
])('a box: %s: %#', (_, was, now, answer) => {
  expect(showsState(was, now)).toBe(answer)
})

test('a box as large as no box: may be ticked if it is not seen', () => {
  const large = (flags: number) => ({ ...OFF, entries: `/Rect[0 0 200 200]/F ${flags}` })
  expect(showsState(large(4), ON)).toBe(false)
  expect(showsState(large(2), ON)).toBe(true)
})

test('a box without a look of being cleared: a background and a border are no sign', () => {
  const coloured = {
    ...OFF,
    looks: '/Si 15 0 R',
    entries: '/Rect[0 0 20 20]/F 4/MK<</BG[1]/BC[0]>>',
    tick: '',
  }
  const drawn = '1 g 0 0 20 20 re f 0 G 1 w 0.5 0.5 19 19 re S'
  expect(showsState(coloured, { ...ON, tick: drawn })).toBe(false)
  // One mark may be its background.
  expect(showsState(coloured, { ...ON, tick: TICK })).toBe(false)
  expect(showsState({ ...coloured, entries: '' }, { ...ON, tick: TICK })).toBe(true)
  expect(showsState(coloured, { ...ON, tick: `${drawn} ${TICK}` })).toBe(true)
})
