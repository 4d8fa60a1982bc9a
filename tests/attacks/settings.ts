import type { Bodies } from '#tests/support/pdf/pdf-builders.ts'
import type { Answer, Attack } from './attack.ts'
import { type Deed, deedBodies, type Layout, revised } from './deed.ts'
import type { RevisionStyle } from './revision.ts'
import { certifying, type Signing, signDeed, signedDeed } from './sign-deed.ts'

/** How a signed file is laid out, and how the revision after it is written. */
export type Setting = { name: string; layout: Layout; style: RevisionStyle; isSignedTwice: boolean }

export const SETTINGS: readonly Setting[] = [
  { name: 'table', layout: 'table', style: 'table', isSignedTwice: false },
  { name: 'table + stream', layout: 'table', style: 'object stream', isSignedTwice: false },
  { name: 'object streams', layout: 'object stream', style: 'object stream', isSignedTwice: false },
  { name: 'object streams + table', layout: 'object stream', style: 'table', isSignedTwice: false },
  { name: 'hybrid', layout: 'hybrid', style: 'stream', isSignedTwice: false },
  { name: 'two sections', layout: 'two sections', style: 'table', isSignedTwice: false },
  { name: 'two signatures', layout: 'table', style: 'table', isSignedTwice: true },
]

const made = new Map<string, Promise<Deed>>()

/** The signed deed of a setting: made once, because a signature takes a moment. */
export function deedOf(setting: Setting, signing: Signing = {}): Promise<Deed> {
  const changes = signing.changes?.({ file: new Uint8Array(), bodies: deedBodies() })
  const id = JSON.stringify([setting, signing, changes, String(signing.seal)])
  const known = made.get(id)
  if (known) return known
  const deed = makeDeed(setting, signing)
  made.set(id, deed)
  return deed
}

async function makeDeed({ layout, style, isSignedTwice }: Setting, signing: Signing) {
  const once = await signedDeed({ layout, style, ...signing })
  return isSignedTwice ? signDeed(once, { style, number: 42 }) : once
}

/** One revision after the signatures, in every setting. */
export function inEverySetting(
  name: string,
  change: (deed: Deed) => Bodies,
  answer: Answer,
  signing: Signing = {},
): Attack[] {
  // A certification that allows nothing does not allow the second signature either.
  const settings = SETTINGS.filter(
    ({ isSignedTwice }) => !(isSignedTwice && signing.entries === certifying(1)),
  )
  return settings.map((setting) => ({
    name: `${name} (${setting.name})`,
    make: async () => {
      const deed = await deedOf(setting, signing)
      return revised(deed, change(deed), setting.style).file
    },
    answer: setting.isSignedTwice ? withSecondSignature(answer) : answer,
  }))
}

/** The second signature is itself a change after the first. */
function withSecondSignature(answer: Answer): Answer {
  if (!answer.verdict.includes('VALID')) return answer
  return { ...answer, modification: ['FORM_FILLING'] }
}

/** One revision after the signature of a plain deed. */
export function afterSignature(
  name: string,
  change: (deed: Deed) => Bodies,
  answer: Answer,
  signing: Signing = {},
): Attack {
  return {
    name,
    make: async () => {
      const deed = await deedOf(SETTINGS[0]!, signing)
      return revised(deed, change(deed)).file
    },
    answer,
  }
}

/** Whatever is done to the bytes of a plain signed deed. */
export function onBytes(
  name: string,
  change: (deed: Deed) => Uint8Array | Promise<Uint8Array>,
  answer: Answer,
  signing: Signing = {},
): Attack {
  return { name, make: async () => change(await deedOf(SETTINGS[0]!, signing)), answer }
}
