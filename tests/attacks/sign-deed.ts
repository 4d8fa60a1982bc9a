import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { sealedLater, waitingSignature } from '#tests/support/office/waiting-signatures.ts'
import { type Seal, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import { type Deed, deedBodies, edited, type Layout, layOut, revised } from './deed.ts'
import type { RevisionStyle } from './revision.ts'

/** Object numbers of the first field and signature; further ones use the numbers after them. */
const FIELD = 40
export const SIGNATURE = 41

export type Signing = {
  layout?: Layout
  style?: RevisionStyle
  /** More entries of the signature dictionary. */
  entries?: string
  /** More entries of the field. */
  field?: string
  subFilter?: string
  /** Objects of the deed before it is signed that replace the default ones. */
  changes?: (deed: Deed) => Record<number, string>
  seal?: Seal
  /** Which numbers the field and the signature take. */
  number?: number
  rectangle?: string
  /** Of its widget: printed and locked by default. */
  flags?: number
  /** Only the page leads to its widget: the form does not list the field. */
  isUnlisted?: boolean
}

let anyone: Promise<Seal> | undefined
export const someSeal = () => {
  anyone ??= testEfirma().then((efirma) => sealOf(efirma))
  return anyone
}

/** A fresh deed, signed. */
export function signedDeed(signing: Signing = {}): Promise<Deed> {
  const plain: Deed = { file: new Uint8Array(), bodies: deedBodies() }
  const bodies = { ...plain.bodies, ...signing.changes?.(plain) }
  return signDeed(layOut(bodies, signing.layout ?? 'table'), signing)
}

/** The deed with a revision that adds a signature. */
export async function signDeed(deed: Deed, signing: Signing = {}): Promise<Deed> {
  const { number = FIELD, subFilter = 'ETSI.CAdES.detached', style = 'table' } = signing
  const {
    entries = '',
    field = '',
    rectangle = '[0 0 0 0]',
    flags = 132,
    seal = await someSeal(),
  } = signing
  const list = signing.isUnlisted ? {} : edited(deed, 8, ']', ` ${number} 0 R]`)
  const waiting = revised(
    deed,
    {
      ...list,
      ...edited(deed, 10, ']/Contents', ` ${number} 0 R]/Contents`),
      [number]: `<</FT/Sig/T(Firma${number})/Type/Annot/Subtype/Widget/Rect${rectangle}/F ${flags}/P 10 0 R/V ${number + 1} 0 R${field}>>`,
      [number + 1]: waitingSignature(`/M(D:20261120150000Z)${entries}`).replace(
        'ETSI.CAdES.detached',
        subFilter,
      ),
    },
    style,
  )
  return { ...waiting, file: await sealedLater(waiting.file, seal) }
}

/** Entries of a signature dictionary that certifies: 1 nothing, 2 forms, 3 notes too. */
export const certifying = (level: 1 | 2 | 3) =>
  `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${level}/V/1.2>>>>]`

/** Entries of a signature dictionary that lock fields. */
export const locking = (action: 'All' | 'Include' | 'Exclude', ...fields: string[]) =>
  `/Reference[<</Type/SigRef/TransformMethod/FieldMDP/TransformParams<</Type/TransformParams/Action/${action}/Fields[${fields.map((name) => `(${name})`).join('')}]/V/1.2>>>>]`
