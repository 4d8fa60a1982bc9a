import { Sha256 } from '#server/domain/ids.ts'
import { openCheckpoint } from './checkpoint.ts'
import { isIncluded, type TreeHead } from './merkle-tree.ts'
import { fromBase64, type VerifierKey } from './signed-note.ts'

/** A proof that an event is in the log; reveals only the hash of its leaf. */
export type InclusionProof = {
  /** The position of the event; counts from 0. */
  index: number
  leaf: Sha256
  path: readonly Sha256[]
  /** The signed checkpoint of the tree. */
  note: string
}

const BEGINNING = 'c2sp.org/tlog-proof@v1\n'

/** The interchange format, with the leaf hash as extra data. @see https://c2sp.org/tlog-proof */
export function formatInclusionProof({ index, leaf, path, note }: InclusionProof): string {
  const lines = [`extra ${base64(leaf)}`, `index ${index}`, ...path.map(base64)]
  return `${BEGINNING}${lines.join('\n')}\n\n${note}`
}

const base64 = (hash: Sha256) => Buffer.from(hash, 'hex').toString('base64')

const PROOF = /^extra (\S+)\nindex (0|[1-9]\d{0,15})\n((?:\S+\n)*)\n([\s\S]+)$/

/** Parses the proofs of a file; undefined if there is none or something else is in it. */
export function parseInclusionProofs(text: string): InclusionProof[] | undefined {
  const [before, ...parts] = text.split(BEGINNING)
  const proofs = parts.map(parseProof)
  const isWhole = before === '' && proofs.length > 0 && proofs.every((proof) => proof !== undefined)
  return isWhole ? proofs : undefined
}

function parseProof(text: string): InclusionProof | undefined {
  const [, extra = '', index, nodes = '', note = ''] = PROOF.exec(text) ?? []
  const leaf = hashIn(extra)
  const path = nodes.split('\n').slice(0, -1).map(hashIn)
  if (!leaf || !path.every((node) => node !== undefined)) return undefined
  return { index: Number(index), leaf, path, note }
}

function hashIn(text: string): Sha256 | undefined {
  const bytes = fromBase64(text)
  return bytes?.length === 32 ? Sha256.parse(bytes.toString('hex')) : undefined
}

/**
 * The tree head of the proof's checkpoint; undefined unless one of the keys signed it and the leaf is in its
 * tree.
 */
export function provenHead(
  proof: InclusionProof,
  keys: readonly VerifierKey[],
): TreeHead | undefined {
  const checkpoint = openCheckpoint(proof.note, keys)
  return checkpoint && isIncluded(proof, checkpoint, proof.path) ? checkpoint : undefined
}
