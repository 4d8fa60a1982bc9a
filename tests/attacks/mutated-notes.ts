import type { Random } from '#tests/fuzz/random.ts'
import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Deed, edited, FREE, revised } from './deed.ts'
import { deedOf, SETTINGS } from './settings.ts'
import { certifying } from './sign-deed.ts'

/*
 * Notes and marks of a text that are added, by chance, on and around the text of a document that is certified for notes.
 */

type Noted = { base: string; deed: Deed; names: string[]; file: Uint8Array }

export async function withMutatedNotes(random: Random): Promise<Noted> {
  const turn = random.below(5) === 0 ? random.pick([90, 180, 270]) : 0
  const turned = (deed: Deed) => edited(deed, 10, '/MediaBox', `/Rotate ${turn}/MediaBox`)
  const setting = random.pick(SETTINGS.filter(({ isSignedTwice }) => !isSignedTwice))
  const deed = await deedOf(setting, {
    entries: certifying(3),
    ...(turn > 0 && { changes: turned }),
  })
  const count = random.pick([1, 1, 1, 2, 3, 6])
  const numbers = Array.from({ length: count }, (_, at) => FREE + at)
  const notes = numbers.map((number) => noteOf(number, random))
  const list = numbers.map((number) => `${number} 0 R`).join(' ')
  const bodies = {
    ...edited(deed, 10, ']/Contents', ` ${list}]/Contents`),
    ...Object.assign({}, ...notes.map((note) => note.bodies)),
  }
  return {
    base: `${setting.name}, turned ${turn}`,
    deed,
    names: notes.map(({ kind }) => kind),
    file: revised(deed, bodies, setting.style).file,
  }
}

const MARKS = ['Highlight', 'Underline', 'Squiggly', 'StrikeOut'] as const
const KINDS = ['Text', 'Popup', ...MARKS, 'Highlight', 'StrikeOut'] as const

/** Entries of which each is there for one in `of`. */
const ENTRIES: readonly (readonly [of: number, key: string, values: readonly string[]])[] = [
  [1, 'F', ['4', '4', '4', '28', '0', '64', '68', '2', '132']],
  [2, 'C', ['[]', '[1]', '[.5]', '[.7]', '[0]', '[1 1 0]', '[1 1 1]', '[0 1 0]', '[0 0 0 .3]']],
  [3, 'CA', ['0', '.2', '.5', '1', '2']],
  [6, 'ca', ['0', '.5', '1']],
  [5, 'BS', ['<</W 0>>', '<</W 5>>', '<</W 60>>']],
  [6, 'Border', ['[0 0 0]', '[0 0 10]', '[0 0 40]']],
  [8, 'BE', ['<</S/C/I 2>>']],
  [8, 'RD', ['[5 5 5 5]', '[-20 0 0 -20]']],
  [4, 'Name', ['/Note', '/Key', '/Comment', '/Help', '/Nada', '/Cross', '/Star']],
  [4, 'Open', ['true', 'false']],
  [8, 'IT', ['/HighlightNote', '/StrikeOutTextEdit', '/Nada']],
  [10, 'Popup', [`${FREE + 1} 0 R`]],
  [10, 'Parent', [`${FREE + 1} 0 R`]],
]

function noteOf(number: number, random: Random): { kind: string; bodies: Bodies } {
  const kind = random.pick(KINDS)
  const isMark = MARKS.some((mark) => mark === kind)
  const entries = ENTRIES.filter(([of]) => random.below(of) === 0).map(
    ([, key, values]) => `/${key} ${random.pick(values)}`,
  )
  const quads = Array.from({ length: random.pick([1, 1, 1, 2, 3, 6]) }, () => quad(random))
  const points = isMark && random.below(10) > 0 ? `/QuadPoints[${quads.flat().join(' ')}]` : ''
  const looks = random.below(3) === 0 ? `/AP<<${random.pick(LOOKS)(number + 20)}>>` : ''
  const place = random.below(3) > 0 ? rectangle(random) : '[0 0 300 300]'
  return {
    kind,
    bodies: {
      [number]: `<</Type/Annot/Subtype/${kind}/Contents(nota)/Rect${place}${points}${entries.join('')}${looks}>>`,
      [number + 20]: lookOf(random),
    },
  }
}

const LOOKS: readonly ((look: number) => string)[] = [
  (look) => `/N ${look} 0 R`,
  (look) => `/N ${look} 0 R`,
  (look) => `/N<</On ${look} 0 R>>`,
  (look) => `/D ${look} 0 R`,
  (look) => `/R ${look} 0 R/N ${look} 0 R`,
]

function rectangle(random: Random): string {
  const [x, y] = [random.below(240), 110 + random.below(80)]
  const [width, height] = [
    random.pick([0, 3, 12, 20, 40, 100, 220]),
    random.pick([0, 3, 10, 20, 30, 60]),
  ]
  const [low, high] = [`${x} ${y}`, `${x + width} ${y + height}`]
  return random.below(6) === 0 ? `[${high} ${low}]` : `[${low} ${high}]`
}

/** In one of the orders in which programs write the corners, or with a corner somewhere else. */
function quad(random: Random): number[] {
  const [x, y] = [10 + random.below(80), 135 + random.below(35)]
  const [width, height] = [random.pick([10, 40, 100, 200]), random.pick([2, 5, 10, 20, 28, 45])]
  const [right, top] = [x + width, y + height]
  const corners = random.pick([
    [x, top, right, top, x, y, right, y],
    [x, top, right, top, x, y, right, y],
    [x, y, right, y, right, top, x, top],
    [x, y, right, y, x, top, right, top],
    [right, top, x, top, right, y, x, y],
  ])
  if (random.below(10) === 0) corners[random.below(8)]! += random.below(60) - 30
  return corners
}

function lookOf(random: Random): string {
  const colour = random.pick(['0 g', '1 g', '.5 g', '1 1 0 rg', '1 0 0 RG', '1 G', '0 G', '3 w'])
  const shape = random.pick([
    ...['0 0 20 20 re f', '5 5 10 10 re f', '10 10 30 8 re f', '0 0 200 28 re f'],
    ...['0 0 200 28 re S', '0 8 m 200 8 l S', '0 0 m 200 30 l S', '2 2 m 10 18 l 18 2 l h f'],
  ])
  const box = random.pick(['0 0 20 20', '0 0 200 28', '0 0 40 40', '-5 -5 25 25', '0 0 100 20'])
  const state = random.pick(['/BM/Multiply', '/ca .3/CA .3', '/BM/Darken', '/ca .9', '/BM/Screen'])
  const matrix = random.below(5) === 0 ? `/Matrix[1 0 0 1 ${random.pick([0, 5, -10])} 0]` : ''
  return streamBody(
    `${random.pick(['', '/G gs '])}${colour} ${shape}`,
    `/Type/XObject/Subtype/Form/BBox[${box}]${matrix}/Resources<</ExtGState<</G<<${state}>>>>>>`,
  )
}
