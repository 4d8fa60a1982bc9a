import { concatBytes } from '#server/domain/bytes.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import { bytesOf, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { BYTE_MUTATIONS, type Mutation } from './mutations.ts'
import type { Random } from './random.ts'

const NUMBERS =
  '0 1 -1 2147483647 2147483648 4294967296 9007199254740993 -9223372036854775808 1e9 0.5 00000000001 99999'.split(
    ' ',
  )
const VALUES =
  'null true [] <<>> () <> /x 0 [null] 1 0 R 2 0 R 10 0 R 99 0 R [[[[[[]]]]]] <</A<</A<</A 1 0 R>>>>>>'.split(
    ' ',
  )
const WORDS = [
  'obj endobj stream endstream xref trailer startxref %%EOF %PDF-1.7',
  '/Root /Prev /XRefStm /Encrypt /Contents /ByteRange /Kids /Parent /Fields',
  '/Annots /V /FT/Sig /AP /Length /Filter/FlateDecode /Type/ObjStm /Type/XRef',
  '<< >> [ ] ( ) < >',
].flatMap((line) => line.split(' '))

/** Replaces one match of the pattern. */
function oneOf(
  text: string,
  pattern: RegExp,
  random: Random,
  by: (found: string) => string,
): string {
  const matches = [...text.matchAll(pattern)]
  if (matches.length === 0) return text
  const match = random.pick(matches)
  return text.slice(0, match.index) + by(match[0]) + text.slice(match.index + match[0].length)
}

const onText =
  (change: (text: string, random: Random, other: string) => string): Mutation =>
  (bytes, random, other) =>
    bytesOf(change(textOf(bytes), random, textOf(other)))

const objectsOf = (text: string) =>
  text.match(/\d+ 0 obj\n[\s\S]*?endobj\n/g) ?? ['1 0 obj\nnull\nendobj\n']

/** Mutations of the tokens of a PDF. */
export const PDF_MUTATIONS: readonly Mutation[] = [
  ...BYTE_MUTATIONS,
  onText((text, random) => oneOf(text, /\b\d+\b/g, random, () => random.pick(NUMBERS))),
  onText((text, random) =>
    oneOf(text, /\b\d+\b/g, random, (found) => `${Number(found) + random.pick([-1, 1, 10])}`),
  ),
  onText((text, random) => oneOf(text, /\d+ 0 R/g, random, () => `${random.below(60)} 0 R`)),
  onText((text, random) =>
    oneOf(text, /\d+ 0 R|\([^()]*\)|\/\w+/g, random, () => random.pick(VALUES)),
  ),
  onText((text, random) =>
    oneOf(text, /\/\w+|obj|stream|xref|trailer/g, random, () => random.pick(WORDS)),
  ),
  onText((text, random) =>
    oneOf(
      text,
      />>|\]/g,
      random,
      (found) => `${random.pick(WORDS)} ${random.pick(VALUES)}${found}`,
    ),
  ),
  onText((text, random) =>
    oneOf(
      text,
      /\d{10} \d{5} [nf]/g,
      random,
      () =>
        `${String(random.below(text.length)).padStart(10, '0')} 00000 ${random.pick(['n', 'f'])}`,
    ),
  ),
  onText((text, random, other) =>
    oneOf(text, /\d+ 0 obj\n[\s\S]*?endobj\n/g, random, () => random.pick(objectsOf(other))),
  ),
  onText((text, random) => text + random.pick(objectsOf(text))),
  /** A whole revision of objects that stood elsewhere. */
  (bytes, random, other) => {
    const count = 1 + random.below(3)
    const bodies = Object.fromEntries(
      Array.from({ length: count }, () => {
        const body = random.pick(objectsOf(textOf(other))).replace(/^\d+ 0 obj\n|\nendobj\n$/g, '')
        return [1 + random.below(60), body]
      }),
    )
    const style = random.pick(['table', 'stream', 'object stream'] as const)
    return appendRevision(bytes, bodies, { style, root: random.pick([1, 1, 1, 10, 53]) })
  },
  (bytes, random) => {
    const row = [random.below(3), random.below(bytes.length), random.below(2)] as const
    return appendRevision(
      bytes,
      {},
      { style: random.pick(['table', 'stream']), rows: { [1 + random.below(60)]: row } },
    )
  },
  (bytes, random, other) => concatBytes(bytes, other.subarray(0, random.below(other.length))),
]
