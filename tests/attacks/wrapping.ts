import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned } from '#tests/support/pdf/signed-pdfs.ts'
import { type Attack, type ByteAttack, type Family, INVALID, NOT_GOOD } from './attack.ts'
import { edited, FREE, textStream } from './deed.ts'
import { afterSignature, onBytes } from './settings.ts'
import { someSeal } from './sign-deed.ts'
import { overwritten, signatureText } from './signature-text.ts'

/*
 * Signature wrapping: the signed second part moves to the end and other objects take its place; and every
 * other game with the four numbers. See 1 Trillion Dollar Refund (CCS 2019), 4.3; ISO 32000-2, 12.8.1.
 */

const UNCLEAR = { ...INVALID, coverage: ['UNCLEAR'] as const }

const FORGED = `11 0 obj\n${textStream('Otra cosa')}\nendobj\n`

/** The signed tail moved after an insertion in the gap; `range` says where the numbers are written. */
function wrapped(
  file: Uint8Array,
  insertion: string,
  range: 'old' | 'second' | 'in the gap',
): Uint8Array {
  const { text, contents } = signatureText(file)
  const cms = text.slice(contents.start, contents.end - 1).replace(/0+$/, '0')
  const tail = text.slice(contents.end)
  const numbers = (end: number) => `/ByteRange[0 ${contents.start} ${end} ${tail.length}]`
  const head = text.slice(0, contents.start)
  const build = (end: number) => {
    const more = range === 'in the gap' ? numbers(end) : ''
    return `${head}${cms}>${more}${insertion}`
  }
  let end = 0
  for (let round = 0; round < 3; round++) end = build(end).length
  const second = range === 'second' ? `\n99 0 obj\n<<${numbers(end)}>>\nendobj\n` : ''
  return bytesOf(`${build(end)}${tail}${second}`)
}

export const WRAPS: readonly ByteAttack[] = [
  ['an object', `>>\nendobj\n${FORGED}`],
  [
    'an object and a cross-reference',
    `>>\nendobj\n${FORGED}xref\n0 0\ntrailer\n<</Root 1 0 R/Size 99>>\nstartxref\n0\n%%EOF\n`,
  ],
  ['a comment', '% '.padEnd(400, '.')],
  ['blanks', ' '.repeat(400)],
  ['a second string', `/Contents <${'0'.repeat(300)}>`],
  ['an entry', `/Own(${'x'.repeat(300)})`],
].flatMap(([name, insertion]) =>
  (['old', 'second', 'in the gap'] as const).map((range) => ({
    name: `${name} in the gap, range: ${range}`,
    change: (file: Uint8Array) => wrapped(file, insertion!, range),
    answer: NOT_GOOD,
  })),
)

const onDeed = ({ name, change, answer }: ByteAttack) =>
  onBytes(name, ({ file }) => change(file), answer)

const hidden: Attack[] = [
  ['an object', `> ${FORGED.replaceAll('\n', ' ')}`],
  ['an entry', '> /M(D:20300101)'],
  ['a comment', ' % nota'],
  ['a letter', 'g'],
  ['a bracket', '<'],
  ['the end of a dictionary', '>>'],
  ['a literal string', '(x)'],
].map(([name, insertion]) =>
  onBytes(
    `${name} among the padding`,
    ({ file }) => {
      const signature = signatureText(file)
      const end = signature.contents.end - 1
      const start = end - insertion!.length
      return overwritten(signature, { start, end }, insertion!)
    },
    NOT_GOOD,
  ),
)

type Numbers = readonly [number, number, number, number]
const RANGES: Record<string, (range: Numbers) => string> = {
  'a gap one byte longer before': ([a, b, c, d]) => `[${a} ${b - 1} ${c} ${d}]`,
  'a gap one byte longer after': ([a, b, c, d]) => `[${a} ${b} ${c + 1} ${d - 1}]`,
  'a gap one byte shorter before': ([a, b, c, d]) => `[${a} ${b + 1} ${c} ${d}]`,
  'a gap one byte shorter after': ([a, b, c, d]) => `[${a} ${b} ${c - 1} ${d + 1}]`,
  'a gap of a whole object': ([a, b, c, d]) => `[${a} ${b - 200} ${c} ${d}]`,
  'no gap': ([a, b, , d]) => `[${a} ${b} ${b} ${d}]`,
  'parts that overlap': ([a, b, c, d]) => `[${a} ${c} ${b} ${d}]`,
  'parts in the other order': ([a, b, c, d]) => `[${c} ${d} ${a} ${b}]`,
  'one part': ([a, , c, d]) => `[${a} ${c + d}]`,
  'the whole file': ([a, , c, d]) => `[${a} ${c + d} ${c + d} 0]`,
  'an empty first part': ([, , c, d]) => `[0 0 ${c} ${d}]`,
  'an empty second part': ([a, b, c]) => `[${a} ${b} ${c} 0]`,
  'a second part two bytes short': ([a, b, c, d]) => `[${a} ${b} ${c} ${d - 2}]`,
  'a second part one byte long': ([a, b, c, d]) => `[${a} ${b} ${c} ${d + 1}]`,
  'a second part that ends amid the trailer': ([a, b, c, d]) => `[${a} ${b} ${c} ${d - 60}]`,
  'a start of 1': ([, b, c, d]) => `[1 ${b - 1} ${c} ${d}]`,
  'a start after the header': ([, b, c, d]) => `[15 ${b - 15} ${c} ${d}]`,
  'five numbers': ([a, b, c, d]) => `[${a} ${b} ${c} ${d} 0]`,
  'six numbers': ([a, b, c, d]) => `[${a} ${b} ${c} ${d} 0 0]`,
  'three parts': ([a, b, c, d]) => `[${a} 100 100 ${b - 100} ${c} ${d}]`,
  'a negative start': ([, b, c, d]) => `[-1 ${b} ${c} ${d}]`,
  'a negative length': ([a, b, c, d]) => `[${a} ${-b} ${c} ${d}]`,
  'a number too large for the file': ([a, b, c]) => `[${a} ${b} ${c} 99999999]`,
  'a number of 64 bits': ([a, b, c, d]) => `[${a} ${b} ${c} 1844674407370955${1616 + d}]`,
  'a number that wraps at 32 bits': ([a, b, c, d]) => `[${a} ${b} ${c} ${4294967296 + d}]`,
  'a number that wraps below zero': ([a, b, c]) => `[${a} ${b} ${c} -4294967295]`,
  fractions: ([a, b, c, d]) => `[${a} ${b}.9 ${c} ${d}]`,
  exponents: ([a, b, c, d]) => `[${a} ${b}e0 ${c} ${d}]`,
  hexadecimal: ([a, b, c, d]) => `[${a} 0x${b.toString(16)} ${c} ${d}]`,
  'a reference': ([a, b, c]) => `[${a} ${b} ${c} 99 0 R]`,
  'an array in the array': (range) => `[[${range.join(' ')}]]`,
  'a string of numbers': (range) => `(${range.join(' ')})`,
}

export const LATER_RANGES: readonly ByteAttack[] = Object.entries(RANGES).map(([name, write]) => ({
  name: `${name}, written later`,
  change: (file) => {
    const signature = signatureText(file)
    const numbers = signature.range.numbers as unknown as Numbers
    return overwritten(signature, signature.range, write(numbers))
  },
  answer: UNCLEAR,
}))

const ranges: Attack[] = Object.entries(RANGES).flatMap(([name, write]) => [
  {
    name: `${name}, signed so`,
    make: async () => handSigned({ seal: await someSeal(), byteRange: write }),
    answer: UNCLEAR,
  },
])

/** Numbers written in another way say the same. */
const SAME: Record<string, (range: Numbers) => string> = {
  zeros: (range) => `[${range.map((number) => `0${number}`).join(' ')}]`,
  signs: (range) => `[${range.map((number) => `+${number}`).join(' ')}]`,
  lines: (range) => `[${range.join('\n')}]`,
}
const same: Attack[] = Object.entries(SAME).map(([name, write]) => ({
  name: `written with ${name}`,
  make: async () => handSigned({ seal: await someSeal(), byteRange: write }),
  answer: { verdict: ['VALID'] },
}))

/** Two signatures that share one gap, or one range. */
const shared: Attack[] = [
  afterSignature(
    'a second dictionary with the range and the content of the first',
    (deed) => {
      const { text, contents, range } = signatureText(deed.file)
      const words = `/ByteRange[${range.numbers.join(' ')}]/Contents ${text.slice(contents.start, contents.end)}`
      return {
        ...edited(deed, 8, ']', ` ${FREE} 0 R]`),
        [FREE]: `<</FT/Sig/T(Otra)/V ${FREE + 1} 0 R/Subtype/Widget/Rect[0 0 0 0]>>`,
        [FREE + 1]: `<</Type/Sig/SubFilter/ETSI.CAdES.detached${words}>>`,
      }
    },
    INVALID,
  ),
]

export const WRAPPING: readonly Family[] = [
  { name: 'signature wrapping', attacks: [...WRAPS.map(onDeed), ...shared] },
  { name: 'signature wrapping, inside /Contents', attacks: hidden },
  { name: 'byte ranges', attacks: [...LATER_RANGES.map(onDeed), ...ranges] },
  { name: 'byte ranges that are right', attacks: same },
]
