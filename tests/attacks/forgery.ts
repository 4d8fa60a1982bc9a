import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned } from '#tests/support/pdf/signed-pdfs.ts'
import {
  type Answer,
  type Attack,
  type ByteAttack,
  type Family,
  INVALID,
  NOT_GOOD,
} from './attack.ts'
import { type Deed, textStream } from './deed.ts'
import { appendRevision } from './revision.ts'
import { afterSignature, onBytes } from './settings.ts'
import { SIGNATURE, someSeal } from './sign-deed.ts'
import { overwritten, signatureText } from './signature-text.ts'

/*
 * Universal signature forgery: an entry that decides about the signature is missing, empty or of the wrong type.
 * See 1 Trillion Dollar Refund (CCS 2019), 4.1.
 */

const WRONG: Record<string, string> = {
  missing: '',
  null: 'null',
  'a zero': '0',
  'an empty array': '[]',
  'an empty string': '()',
  'an empty hexadecimal string': '<>',
  'a string of one zero': '<00>',
  'a name': '/x',
  true: 'true',
  'an empty dictionary': '<<>>',
  'a reference to nothing': '99 0 R',
  'a reference to itself': `${SIGNATURE} 0 R`,
}
const WRONG_RANGES: Record<string, string> = {
  'four zeros': '[0 0 0 0]',
  'one zero': '[0]',
  'two numbers': '[0 100]',
  'three numbers': '[0 100 200]',
  'negative numbers': '[0 -1 -1 0]',
  'all negative': '[-1 -1 -1 -1]',
  strings: '[(0)(1)(2)(3)]',
  nulls: '[null null null null]',
  'references to nothing': '[99 0 R 99 0 R 99 0 R 99 0 R]',
}

/** Zeros are a placeholder: such a file is unsigned. */
const UNSIGNED: Answer = { verdict: ['INVALID', 'NO_SIGNATURE'] }
const ZEROS = ['zeros', 'a string of one zero']

/** With or without a change of the page, which must still be reported. */
const PAGES: [string, (file: Uint8Array) => Uint8Array][] = [
  ['', (file) => file],
  [
    ', page changed in place',
    (file) => bytesOf(signatureText(file).text.replace('(Page 1)', '(Page 9)')),
  ],
  [', page changed later', (file) => appendRevision(file, { 11: textStream('Otra cosa') })],
]

export const FORGERIES: readonly ByteAttack[] = PAGES.flatMap(([suffix, change]) => [
  ...Object.entries({ ...WRONG, ...WRONG_RANGES }).map(([name, value]) => ({
    name: `/ByteRange: ${name}${suffix}`,
    change: (file: Uint8Array) => {
      const signature = signatureText(change(file))
      const { start, end } = signature.range
      const span = value === '' ? { start: start - '/ByteRange '.length, end } : { start, end }
      return overwritten(signature, span, value)
    },
    answer: { ...INVALID, coverage: ['UNCLEAR' as const] },
  })),
  ...Object.entries({ ...WRONG, zeros: `<${'0'.repeat(6000)}>` }).map(([name, value]) => ({
    name: `/Contents: ${name}${suffix}`,
    change: (file: Uint8Array) => {
      const signature = signatureText(change(file))
      const { start, end } = signature.contents
      const span = value === '' ? { start: start - '/Contents '.length, end } : { start, end }
      return overwritten(signature, span, value)
    },
    answer: ZEROS.includes(name) ? UNSIGNED : INVALID,
  })),
  {
    name: `/ByteRange and /Contents: both null${suffix}`,
    change: (file: Uint8Array) => {
      const first = signatureText(change(file))
      const once = overwritten(first, first.range, 'null')
      return overwritten(
        { ...first, text: Buffer.from(once).toString('latin1') },
        first.contents,
        'null',
      )
    },
    answer: INVALID,
  },
])

const inPlace: Attack[] = FORGERIES.map(({ name, change, answer }) =>
  onBytes(name, ({ file }) => change(file), answer),
)

/** The same words of a signature that its program made so, with a digest that fits. */
const fromTheStart: Attack[] = Object.entries({ ...WRONG, ...WRONG_RANGES }).flatMap(
  ([name, value]) => [
    {
      name: `signed with a /ByteRange: ${name}`,
      make: async () => handSigned({ seal: await someSeal(), byteRange: () => value }),
      answer: INVALID,
    },
    {
      name: `signed with a /Contents: ${name}`,
      make: async () => handSigned({ seal: await someSeal(), contents: () => value }),
      answer: ZEROS.includes(name) ? UNSIGNED : INVALID,
    },
  ],
)

/** The signature dictionary with one entry replaced. */
const rewrittenSignature = (deed: Deed, change: (words: string) => string) => {
  const { text, range, contents } = signatureText(deed.file)
  const start = text.lastIndexOf('<</Type/Sig', range.start)
  return { [SIGNATURE]: change(text.slice(start, text.indexOf('>>', contents.end) + 2)) }
}

/** A later revision makes another dictionary of the signature. */
const later: Attack[] = Object.entries(WRONG).flatMap(([name, value]) => [
  afterSignature(
    `a later /Contents: ${name}`,
    (deed) =>
      rewrittenSignature(deed, (words) =>
        words.replace(/\/Contents <\w+>/, value && `/Contents ${value}`),
      ),
    {
      verdict: [...NOT_GOOD.verdict, ...(ZEROS.includes(name) ? (['NO_SIGNATURE'] as const) : [])],
    },
  ),
  afterSignature(
    `a later /ByteRange: ${name}`,
    (deed) =>
      rewrittenSignature(deed, (words) =>
        words.replace(/\/ByteRange ?\[.*?\]/, value && `/ByteRange ${value}`),
      ),
    NOT_GOOD,
  ),
])

const kinds: Attack[] = [
  ...['adbe.pkcs7.sha1', 'adbe.x509.rsa_sha1', 'ETSI.RFC3161', 'adbe.none', ''].map((subFilter) =>
    onBytes(
      `the sub-filter says ${subFilter || 'nothing'}`,
      ({ file }) =>
        bytesOf(
          signatureText(file).text.replace('/SubFilter/ETSI.CAdES.detached', (old) =>
            (subFilter ? `/SubFilter/${subFilter}` : '').padEnd(old.length),
          ),
        ),
      { verdict: ['INVALID', 'INDETERMINATE', 'NO_SIGNATURE'] },
    ),
  ),
  onBytes(
    'the signature is no dictionary',
    ({ file }) => bytesOf(signatureText(file).text.replace('/V 41 0 R', '/V 11 0 R')),
    NOT_GOOD,
  ),
  onBytes(
    'no field leads to the signature',
    ({ file }) => bytesOf(signatureText(file).text.replace('/V 41 0 R', '/W 41 0 R')),
    NOT_GOOD,
  ),
  onBytes(
    'the type of the signature is another',
    ({ file }) => bytesOf(signatureText(file).text.replace('/Type/Sig/Filter', '/Type/Sug/Filter')),
    NOT_GOOD,
  ),
]

export const FORGERY: readonly Family[] = [
  { name: 'universal forgery', attacks: inPlace },
  { name: 'universal forgery, signed so', attacks: fromTheStart },
  { name: 'universal forgery, later', attacks: later },
  { name: 'universal forgery, kinds', attacks: kinds },
]
