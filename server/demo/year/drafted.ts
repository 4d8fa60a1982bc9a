import type { DocumentKind } from '#server/domain/documents/document.ts'
import type { Party } from '#server/domain/documents/instrument.ts'
import type { Chance } from './chance.ts'

/** What an office drafts: everything of a document but its number and its days. */
export type Drafted = {
  /** Without its number: `Compraventa de departamento · Huerta Tejeda`. */
  title: string
  kind: DocumentKind
  /** In capitals, on the first page. */
  heading: string
  paragraphs: readonly string[]
  /** `Compraventa`; null for what is not written into the protocol. */
  act: string | null
  parties: readonly Party[]
}

/** A kind of paper, as often as its weight says. */
export type Paper = { weight: number; draft(chance: Chance): Drafted }
