import type { Span } from '#server/domain/bytes.ts'
import type { PublicAddress } from '#server/domain/documents/public-address.ts'
import type { StampChoice } from '#server/domain/documents/stamp-choice.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import type { Instant } from '#server/domain/time.ts'

/** The facts of the signature sheet, which is appended before the first signature. */
export type SheetFacts = {
  folio: string
  /** "Copia certificada" */
  kind: string
  title: string
  /** "Instrumento: 12,345 · Libro: 78 …"; absent if the document belongs to no instrument of the protocol. */
  instrument?: string
  /** "Notaría 12 de la Ciudad de México · Coyoacán, Ciudad de México" */
  office: string
  /** Null if the public must not find the document. */
  publicAddress: PublicAddress | null
  /** SHA-256 of the original, hexadecimal. */
  originalSha256: string
  /** "No sustituye la firma en el protocolo"; absent if nothing must be said. */
  caution?: string
  isDemo: boolean
}

/** The visible text of a signature. */
export type SignerCaption = {
  name: string
  /** Null where it is not known: a file that the command line signs. */
  character: SigningCharacter | null
  rfc: string
  certificateNumber: string
}

/** What a visible signature shows in a document that gets no sheet. */
export type StampFacts = {
  folio: string
  /** Null if the public must not find the document. */
  publicAddress: PublicAddress | null
  /** Near which place it shall stand; the program finds one if absent. */
  choice?: StampChoice
}

/** An empty field of the signature sheet, reserved for one signer. */
export type AwaitedSignature = {
  /** `Firmante-3` */
  fieldName: string
  name: string
  /** Null for a person of the office who could not sign on the day of the sheet. */
  character: SigningCharacter | null
}

/** The input of a prepared sheet: the same plan on the same file gives the same bytes. */
export type SheetPlan = { sheet: SheetFacts; awaited: readonly AwaitedSignature[] }

/** The signature sheet with its empty fields: the revision that is appended before the first signature. */
export type PreparedSheet = {
  /** Length in bytes of the file before the increment. */
  baseLength: number
  bytes: Uint8Array
  /** Number of appended pages. */
  pages: number
  /** The final field names in the order of the plan; a planned name may have been taken. */
  fieldNames: readonly string[]
}

/** The input of a prepared signature: the same plan on the same file gives the same bytes. */
export type SignaturePlan = {
  /** The empty field to sign; if absent, a new field is added. */
  field?: string
  /** Absent if the document gets no sheet: it has signatures, or the command line signs it. */
  sheet?: SheetFacts
  /** Absent if the signature has a slot of a sheet; otherwise it is stamped into a blank place, if there is one. */
  stamp?: StampFacts
  /** Absent for a signature without a visible field. */
  caption?: SignerCaption
  reason: string
  at: Instant
  /** Bytes kept free in /Contents for the CMS. */
  contentsSize: number
  /** Time zone in which the caption prints the time. */
  zone: string
}

/**
 * A prepared signature, without the private key's part: the bytes to append, with a /Contents of zeros. This is
 * all that must be stored between the two halves.
 */
export type PreparedIncrement = {
  /** Length in bytes of the file before the increment. */
  baseLength: number
  bytes: Uint8Array
  /** The hex string of /Contents with its brackets, counted from the start of the whole file. */
  contents: Span
  byteRange: readonly [number, number, number, number]
  /** SHA-256 over the byte range: the message digest of the signed attributes. */
  digest: Uint8Array
  fieldName: string
}

/** The same with the digest of the file as read, so that a caller detects a changed file. */
export type CheckedIncrement = PreparedIncrement & {
  /** SHA-256 of the file without the increment, as read for `digest`. */
  baseDigest: Uint8Array
}
