import { describe, expect, test, vi } from 'vitest'
import { textStream } from '#tests/attacks/deed.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import { signedDeed } from '#tests/attacks/sign-deed.ts'
import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { differenceOf } from './difference.ts'
import type { Excuse } from './excuses.ts'
import type { Look } from './look.ts'
import { createOracle, type Doubtful, READERS } from './oracle.ts'
import { printedBy, printedByEach } from './readers/programs.ts'

const names = READERS.map(({ name }) => name)
const OTHER_PAGE = { 11: textStream('Otra cosa') }

/** Which readers show something else, of a deed with a revision behind its signature. */
async function differing(changes: Record<number, string>, listed: readonly number[] = []) {
  const { file: signed } = await signedDeed()
  const doubtful: Doubtful = {
    name: 'deed',
    file: appendRevision(signed, changes),
    signed: [{ end: signed.length, listed: new Set(listed), filled: new Map(), noted: new Set() }],
  }
  const [drawn] = await createOracle()([doubtful])
  expect(drawn!.unread).toEqual([])
  return drawn!.differences.map((difference) => difference.split(':')[0])
}

/** The look of the field for the price. */
const BLACK = { 7: streamBody('0 0 9 9 re f', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]') }

describe('readers', () => {
  test('all five show another page behind the signature', async () => {
    expect(await differing(OTHER_PAGE)).toEqual(names)
  })

  test('none shows a difference in an object that nothing leads to', async () => {
    expect(await differing({ 60: '(nada)' })).toEqual([])
  })

  test('all five show a field with another look, which counts unless it is listed', async () => {
    expect(await differing(BLACK)).toEqual(names)
    expect(await differing(BLACK, [5])).toEqual([])
  })

  test('another page counts beside a field that is listed', async () => {
    expect(await differing(OTHER_PAGE, [5])).toEqual(names)
  })

  test('a program that is not installed is named, not passed over', async () => {
    vi.stubEnv('PATH', '/nowhere')
    await expect(printedBy('gs', [])).rejects.toThrow('gs is not installed')
    const printed = printedByEach(['pdftotext', 'FILE'], ['a.pdf'])
    await expect(printed).rejects.toThrow('pdftotext is not installed')
    vi.unstubAllEnvs()
  })
})

describe('difference', () => {
  const page = (text: string, gray: readonly number[]) => ({
    words: [{ text, place: { left: 3, top: 3, right: 5, bottom: 5 } }],
    picture: { width: gray.length, height: 1, gray: Uint8Array.from(gray) },
  })
  const shown = (...pages: ReturnType<typeof page>[]): Look => ({ pages })
  const signed = shown(page('uno', [255, 0]))
  const everywhere: Excuse = {
    page: 1,
    box: { left: 0, top: 0, right: 9, bottom: 9 },
    keepsInk: false,
  }

  test('none between equal looks, nor by a shade', () => {
    expect(differenceOf(signed, signed, [])).toBeUndefined()
    expect(differenceOf(signed, shown(page('uno', [250, 5])), [])).toBeUndefined()
  })

  test.each<[string, Look]>([
    ['pixel 1, 0 is 90, not 0', shown(page('uno', [255, 90]))],
    ['the words are “dos”, not “uno”', shown(page('dos', [255, 0]))],
    ['3 × 1 pixels, not 2 × 1', shown(page('uno', [255, 0, 0]))],
    ['2 pages, not 1', shown(page('uno', [255, 0]), page('uno', [255, 0]))],
    ['does not open any more: no', { refusal: 'no' }],
  ])('%s', (difference, whole) => {
    expect(differenceOf(signed, whole, [])).toContain(difference)
  })

  test('a file that opens only with what was added differs, one that never opens does not', () => {
    expect(differenceOf({ refusal: 'no' }, signed, [])).toContain('opens only with')
    expect(differenceOf({ refusal: 'no' }, { refusal: 'never' }, [])).toBeUndefined()
  })

  test('nothing counts where it is excused, on that page', () => {
    const whole = shown(page('dos', [0, 255]))
    expect(differenceOf(signed, whole, [everywhere])).toBeUndefined()
    expect(differenceOf(signed, whole, [{ ...everywhere, page: 2 }])).toBeDefined()
  })

  test('a word counts as standing in a field that cuts it off, and not beside one', () => {
    const [low, far] = [6, 60].map((top) =>
      shown({
        ...page('dos', [255, 0]),
        words: [{ text: 'dos', place: { left: 3, top, right: 5, bottom: top + 30 } }],
      }),
    )
    const none = shown({ ...page('', [255, 0]), words: [] })
    expect(differenceOf(none, low!, [everywhere])).toBeUndefined()
    expect(differenceOf(none, far!, [everywhere])).toContain('“dos”')
  })

  test('a later signature may add ink, not cover it', () => {
    const look = { ...everywhere, keepsInk: true }
    expect(differenceOf(signed, shown(page('dos', [0, 0])), [look])).toBeUndefined()
    expect(differenceOf(signed, shown(page('uno', [255, 255])), [look])).toContain('is covered')
  })

  test('words of a later signature count where a pixel changes, not where its look cuts them off', () => {
    const corner = {
      ...everywhere,
      keepsInk: true,
      box: { left: 90, top: 0, right: 99, bottom: 9 },
    }
    const place = { left: 0, top: 0, right: 1, bottom: 1 }
    const whole = (gray: readonly number[]) => {
      const { words, picture } = page('uno', gray)
      return shown({ picture, words: [...words, { text: 'dos', place }] })
    }
    expect(differenceOf(signed, whole([255, 0]), [corner])).toBeUndefined()
    expect(differenceOf(signed, whole([245, 0]), [corner])).toBeUndefined()
    expect(differenceOf(signed, whole([0, 0]), [corner])).toContain('pixel 0, 0')
    expect(differenceOf(signed, whole([255, 0]), [{ ...corner, keepsInk: false }])).toContain('dos')
  })
})
