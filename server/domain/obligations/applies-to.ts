import type { DocumentKind } from '#server/domain/documents/document.ts'
import { searchable } from '#server/domain/identity/text.ts'
import type { DocumentTerm } from './obligation.ts'

/** Kinds that stand in the protocol by themselves: a copy, a testimony or a letter only cites the acts of another document. */
const IN_PROTOCOL: ReadonlySet<DocumentKind> = new Set([
  'deed',
  'act',
  'power-of-attorney',
  'will',
  'ratification',
])

export type ConcernedDocument = {
  kind: DocumentKind
  /** Of its instrument and its signing sessions, as they were written. */
  acts: readonly string[]
}

/** Whether the obligation follows from the document. Accents and case of acts do not count; each is a whole word or several. */
export function appliesTo(
  { kinds, acts }: Pick<DocumentTerm, 'kinds' | 'acts'>,
  document: ConcernedDocument,
): boolean {
  if (kinds.includes(document.kind)) return true
  if (!IN_PROTOCOL.has(document.kind)) return false
  const written = document.acts.map(words)
  return acts
    .map(words)
    .some((act) => act.trim() !== '' && written.some((text) => text.includes(act)))
}

/** `Compraventa, con hipoteca` → ` compraventa con hipoteca ` */
const words = (text: string) =>
  ` ${
    searchable(text)
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `
