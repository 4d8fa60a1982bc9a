import { Sha256 } from '#server/domain/ids.ts'
import { openCheckpoint } from './checkpoint.ts'
import { isIncluded, type TreeHead } from './merkle-tree.ts'
import { fromBase64, type VerifierKey } from './signed-note.ts'

/** That an event stands in the log, of which nothing but the hash of its leaf is told. */
export type InclusionProof = {
  /** The place of the event: counts from 0. */
  index: number
  leaf: Sha256
  path: readonly Sha256[]
  /** The signed checkpoint whose tree it is. */
  note: string
}

const BEGINNING = 'c2sp.org/tlog-proof@v1\n'

/** As others read it, with the hash of the leaf as its extra data. @see https://c2sp.org/tlog-proof */
export function formatInclusionProof({ index, leaf, path, note }: InclusionProof): string {
  const lines = [`extra ${base64(leaf)}`, `index ${index}`, ...path.map(base64)]
  return `${BEGINNING}${lines.join('\n')}\n\n${note}`
}

const base64 = (hash: Sha256) => Buffer.from(hash, 'hex').toString('base64')

const PROOF = /^extra (\S+)\nindex (0|[1-9]\d{0,15})\n((?:\S+\n)*)\n([\s\S]+)$/

/** The proofs of a file, one after the other; undefined when there are none, or something else stands there. */
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

/** What the checkpoint of the proof says, when one of the keys signed it and the leaf stands in its tree. */
export function provenHead(
  proof: InclusionProof,
  keys: readonly VerifierKey[],
): TreeHead | undefined {
  const checkpoint = openCheckpoint(proof.note, keys)
  return checkpoint && isIncluded(proof, checkpoint, proof.path) ? checkpoint : undefined
}
