import { inflateSync } from 'node:zlib'
import * as vectors from 'cctv-age'
import { expect, test } from 'vitest'
import { ageOpener } from '#server/domain/age/age-file.ts'
import { BadHeader } from '#server/domain/age/header.ts'
import { readIdentity } from '#server/domain/age/keys.ts'
import { CHUNK_BYTES, DamagedStream } from '#server/domain/age/stream.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'

/* The test vectors that the authors of age publish: https://c2sp.org/CCTV/age */

type Vector = { facts: Map<string, string>; identities: Uint8Array[]; file: Uint8Array }

function readVector(bytes: Uint8Array): Vector {
  const all = Buffer.from(bytes)
  const end = all.indexOf('\n\n')
  const lines = all.subarray(0, end).toString().split('\n')
  const pairs = lines.map((line) => /^([^:]+): (.*)$/.exec(line)!.slice(1) as [string, string])
  const identities = pairs.filter(([key]) => key === 'identity').map(([, text]) => text)
  const facts = new Map(pairs)
  const rest = all.subarray(end + 2)
  return {
    facts,
    identities: identities.flatMap((text) => readIdentity(text) ?? []),
    file: facts.get('compressed') === 'zlib' ? inflateSync(rest) : rest,
  }
}

/** Passphrases, armor and the post-quantum recipient are not supported. */
const isSupported = ({ facts }: Vector) =>
  !facts.has('passphrase') &&
  !facts.has('armored') &&
  !facts.get('identity')?.startsWith('AGE-SECRET-KEY-PQ-')

const all = Object.entries(vectors as unknown as Record<string, Uint8Array>)
const cases = all
  .map(([name, bytes]) => [name, readVector(bytes)] as const)
  .filter(([, vector]) => isSupported(vector))

function outcomeOf({ file, identities }: Vector): { kind: string; plain: Uint8Array } {
  const plain: Uint8Array[] = []
  try {
    const opened = ageOpener(file, identities)
    if (opened === 'not-ours') return { kind: 'no match', plain: Buffer.concat(plain) }
    // One byte less than a chunk: pieces of a file come in any size.
    for (let at = opened.start; at < file.length; at += 65_551)
      plain.push(...opened.chunks.update(file.subarray(at, at + 65_551)))
    plain.push(opened.chunks.final())
    return { kind: 'success', plain: Buffer.concat(plain) }
  } catch (error) {
    if (error instanceof DamagedStream)
      return { kind: 'payload failure', plain: Buffer.concat(plain) }
    if (!(error instanceof BadHeader)) throw error
    const kind = /changed/.test(error.message) ? 'HMAC failure' : 'header failure'
    return { kind, plain: Buffer.concat(plain) }
  }
}

test('the kit has the cases of the header, of X25519 and of the payload', () => {
  expect(cases.length).toBeGreaterThanOrEqual(60)
})

test.each(cases)('%s', (_, vector) => {
  const { kind, plain } = outcomeOf(vector)
  expect(kind).toBe(vector.facts.get('expect'))
  if (kind === 'success') expect(sha256(plain)).toBe(vector.facts.get('payload'))
  // The reference also releases a last chunk that is not at the end of its file. We release chunks that are in place.
  else expect(plain.length % CHUNK_BYTES).toBe(0)
})
