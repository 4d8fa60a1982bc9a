import { isRef } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, type Judgement, other } from './finding.ts'

const SENTENCES: Record<string, string> = {
  Root: 'Se sustituyó el catálogo del documento: podría mostrarse otro documento.',
  Encrypt: 'Se cambió el cifrado del documento.',
}

/**
 * The trailer may change its bookkeeping (/Prev, /Size, /ID) and nothing else that a reader looks at; /Info
 * is judged with the metadata.
 *
 * @see ISO 32000-2:2020, table 15
 */
export function judgeTrailer({ before, after, isSame }: Comparison): Judgement {
  const findings: Finding[] = Object.entries(SENTENCES)
    .filter(([key]) => !isSame(before.trailer.entries.get(key), after.trailer.entries.get(key)))
    .map(([, sentence]) => other('trailer', sentence))
  return { findings, judged: new Set() }
}

/** The number of the catalog; 0 when it is no indirect object. */
export function catalogNumber({ before }: Comparison): number {
  const root = before.trailer.entries.get('Root')
  return isRef(root) ? root.number : 0
}
