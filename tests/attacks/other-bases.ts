import { TEST_NOW, testAuthority } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import {
  ENCRYPTIONS,
  sealedLater,
  waitingForSignature,
} from '#tests/support/office/waiting-signatures.ts'
import { withDocumentStamp, withValidationData } from '#tests/support/pdf/long-term-pdfs.ts'
import { textOf } from '#tests/support/pdf/pdf-builders.ts'
import { rewritten } from '#tests/unit/domain/pdf/variants.ts'
import { type Attack, type ByteAttack, type Family, MODIFIED, NOT_GOOD, valid } from './attack.ts'
import { textStream } from './deed.ts'
import { FORGERIES } from './forgery.ts'
import { appendRevision } from './revision.ts'
import { deedOf, SETTINGS } from './settings.ts'
import { someSeal } from './sign-deed.ts'
import { LATER_RANGES, WRAPS } from './wrapping.ts'

/*
 * The attacks on the bytes of a signature, repeated on other kinds of file: with long-term validation data,
 * encrypted, or with cross-reference streams.
 */

type Base = { name: string; make: () => Promise<Uint8Array> }

/** Made once: signing, stamping and encrypting take a moment. */
function base(name: string, make: () => Promise<Uint8Array>): Base {
  let made: Promise<Uint8Array> | undefined
  return {
    name,
    make: () => {
      made ??= make()
      return made
    },
  }
}

const settingOf = (wanted: string) => SETTINGS.find(({ name }) => name === wanted)!
const plain = async () => (await deedOf(settingOf('table'))).file

async function kept(file: Uint8Array): Promise<Uint8Array> {
  const { root, issuing } = await testAuthority()
  return withValidationData(file, { certificates: [root, issuing] })
}

async function stamped(file: Uint8Array): Promise<Uint8Array> {
  const by = await stampingAuthority()
  return withDocumentStamp(file, (signed) => stampOver(signed, { by, time: TEST_NOW }))
}

const STREAMS = base(
  'cross-reference streams',
  async () => (await deedOf(settingOf('object streams'))).file,
)
const KEPT = base('validation data', async () => kept(await plain()))
const STAMPED = base('validation data and a document timestamp', async () =>
  stamped(await KEPT.make()),
)
const STAMPED_TWICE = base('two document timestamps', async () =>
  stamped(await kept(await STAMPED.make())),
)
const ENCRYPTED = Object.keys(ENCRYPTIONS).map((name) =>
  base(`encrypted, ${name}`, async () =>
    sealedLater(rewritten(waitingForSignature(), ...ENCRYPTIONS[name]!), await someSeal()),
  ),
)
const LONG_TERM = [KEPT, STAMPED, STAMPED_TWICE]
const BASES = [STREAMS, ...LONG_TERM, ...ENCRYPTED]

const onEveryBase = (attacks: readonly ByteAttack[]): Attack[] =>
  BASES.flatMap(({ name: baseName, make }) =>
    attacks.map(({ name, change, answer }) => ({
      name: `${name} (${baseName})`,
      make: async () => change(await make()),
      // A timestamp that is left may be all that can still be read.
      answer: { verdict: [...new Set([...answer.verdict, ...NOT_GOOD.verdict])] },
    })),
  )

/** Only attacks that do not read the content of the deed, which encrypted files hide. */
const forgeries = FORGERIES.filter(({ name }) => !name.includes('page changed'))

/** Another page after, between and before the validation data. */
const OTHER_PAGE = { 11: textStream('Otra cosa') }
const shadows: Attack[] = [
  ...LONG_TERM.map(({ name, make }) => ({
    name: `another page after everything (${name})`,
    make: async () => appendRevision(await make(), OTHER_PAGE),
    answer: MODIFIED,
  })),
  ...LONG_TERM.map(({ name, make }) => ({
    name: `another page, then kept and stamped (${name})`,
    make: async () => stamped(await kept(appendRevision(await make(), OTHER_PAGE))),
    answer: MODIFIED,
  })),
  {
    name: 'another page between the signature and its validation data',
    make: async () => stamped(await kept(appendRevision(await plain(), OTHER_PAGE))),
    answer: MODIFIED,
  },
  {
    name: 'the store of validation data leads to another page tree',
    make: async () => {
      const file = await KEPT.make()
      const store = [...textOf(file).matchAll(/\/DSS (\d+) 0 R/g)].at(-1)![1]
      const catalog = `<</Type/Catalog/Pages 52 0 R/AcroForm 8 0 R/DSS ${store} 0 R>>`
      return appendRevision(file, { 1: catalog })
    },
    answer: MODIFIED,
  },
]

const untouched: Attack[] = [
  ...LONG_TERM.map(({ name, make }) => ({
    name,
    make,
    answer: valid('LTA_UPDATES'),
  })),
  {
    name: 'a timestamp renewed twice',
    make: async () => stamped(await stamped(await STAMPED_TWICE.make())),
    answer: valid('LTA_UPDATES'),
  },
  ...[STREAMS, ...ENCRYPTED].map(({ name, make }) => ({ name, make, answer: valid('NONE') })),
]

export const OTHER_BASES: readonly Family[] = [
  { name: 'other bases, untouched', attacks: untouched },
  { name: 'universal forgery on other bases', attacks: onEveryBase(forgeries) },
  { name: 'signature wrapping on other bases', attacks: onEveryBase(WRAPS) },
  { name: 'byte ranges on other bases', attacks: onEveryBase(LATER_RANGES) },
  { name: 'shadow attacks on kept signatures', attacks: shadows },
]
